/** Lists: their items, over all pages. */
/** A list. Iterating over it requests page after page, as far as the loop goes. */
export class Pages {
    #fetch;
    #start;
    constructor(fetch, start) {
        this.#fetch = fetch;
        this.#start = start;
    }
    async *[Symbol.asyncIterator]() {
        for await (const page of this.pages())
            yield* page.items;
    }
    /** The pages, one after another. */
    async *pages() {
        let page = await this.first();
        yield page;
        while (page.pagination.has_next) {
            page = await this.#fetch(page.pagination.page + 1);
            yield page;
        }
    }
    /** The page that was asked for, by default the first, with the number of all items. */
    first() {
        return this.#fetch(this.#start);
    }
    /** All items. */
    async toArray() {
        const items = [];
        for await (const item of this)
            items.push(item);
        return items;
    }
}
