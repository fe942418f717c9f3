/** More bytes in a line or an event than are taken. */
const limit = 16 << 20;

/** Text of a `text/event-stream`, cut anywhere, to its events' data. Reference: WHATWG HTML, section 9.2.6. */
export class EventParser {
    #rest = '';
    /** @type {string[]} */
    #data = [];
    #bytes = 0;

    /**
     * Data of the events that end within this text; comments, which are signs of life, have none.
     *
     * @param {string} text
     * @returns {string[]}
     */
    take(text) {
        const events = [];
        // A carriage return at the end may be half a line end.
        const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
        this.#rest = lines.pop() ?? '';
        for (const line of lines) {
            if (line === '') {
                if (this.#data.length > 0) events.push(this.#data.join('\n'));
                [this.#data, this.#bytes] = [[], 0];
            } else if (line.startsWith('data:')) {
                this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
                this.#bytes += line.length;
            }
        }
        if (this.#rest.length + this.#bytes > limit) throw new RangeError(`an event has more than ${limit} letters`);
        return events;
    }
}
