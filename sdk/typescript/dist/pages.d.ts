/** Lists: their items, over all pages. */
import type { Pagination } from "./generated/models.js";
/** One page of a list. */
export interface Page<T> {
    items: T[];
    pagination: Pagination;
}
/** A list. Iterating over it requests page after page, as far as the loop goes. */
export declare class Pages<T> implements AsyncIterable<T> {
    #private;
    constructor(fetch: (page: number | undefined) => Promise<Page<T>>, start: number | undefined);
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
    /** The pages, one after another. */
    pages(): AsyncGenerator<Page<T>, void, undefined>;
    /** The page that was asked for, by default the first, with the number of all items. */
    first(): Promise<Page<T>>;
    /** All items. */
    toArray(): Promise<T[]>;
}
