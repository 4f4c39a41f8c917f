/** Lists: their items, over all pages. */

import type { Pagination } from "./generated/models.js";

/** One page of a list. */
export interface Page<T> {
  items: T[];
  pagination: Pagination;
}

/** A list. Iterating over it requests page after page, as far as the loop goes. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #fetch: (page: number | undefined) => Promise<Page<T>>;
  readonly #start: number | undefined;

  constructor(fetch: (page: number | undefined) => Promise<Page<T>>, start: number | undefined) {
    this.#fetch = fetch;
    this.#start = start;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** The pages, one after another. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.first();
    yield page;
    while (page.pagination.has_next) {
      page = await this.#fetch(page.pagination.page + 1);
      yield page;
    }
  }

  /** The page that was asked for, by default the first, with the number of all items. */
  first(): Promise<Page<T>> {
    return this.#fetch(this.#start);
  }

  /** All items. */
  async toArray(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
