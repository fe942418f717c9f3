/** Milliseconds: the earliest return, that of a page which has found something, and the longest that is believed. */
const [least, soon, longest] = [250, 2000, 3_600_000];

/**
 * When a page comes back after its stream broke, as `StreamReturn` of NearbyClient in Swift. A server that ends breaks all its streams in one
 * moment; it told each client in advance how long the return of all takes. A page draws a time from that, unless something is near it.
 */
export class StreamReturn {
    /** @type {number | undefined} */
    #advised;
    /** @type {Set<string>} */
    #finds = new Set();

    /** @param {unknown} seconds `retryWithinSeconds` of an event; all but numbers over 0 say nothing */
    advise(seconds) {
        if (typeof seconds === 'number' && seconds > 0) this.#advised = Math.min(1000 * seconds, longest);
    }

    /** @param {import('./engine-types.js').Told['deliveries']} deliveries */
    note(deliveries) {
        for (const { change, subscription, publication } of deliveries) {
            const find = `${subscription} ${publication}`;
            if (change === 'lost') this.#finds.delete(find);
            else this.#finds.add(find);
        }
    }

    /** @param {number[]} ended subscriptions, of which nothing is told any more */
    forget(ended) {
        for (const find of this.#finds) if (ended.includes(Number(find.split(' ')[0]))) this.#finds.delete(find);
    }

    /** Milliseconds; 0 when the server gave no advice. */
    get window() {
        return this.#advised === undefined ? 0 : this.#finds.size > 0 ? Math.min(this.#advised, soon) : this.#advised;
    }

    /** Draws milliseconds until the return; 0 when the server gave no advice. */
    draw() {
        const first = Math.min(least, this.window);
        return first + (this.window - first) * Math.random();
    }
}
