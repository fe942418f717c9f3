/** Writes a flat record: numbers little-endian, texts and lists with their count before them. Opposite: {@link RecordReader}. */
export class RecordWriter {
    #bytes = new Uint8Array(256);
    #view = new DataView(this.#bytes.buffer);
    #count = 0;

    /** What was written. */
    get bytes() { return this.#bytes.subarray(0, this.#count); }

    /** @param {number} more */
    #reserve(more) {
        const place = this.#count;
        this.#count += more;
        if (this.#count > this.#bytes.length) {
            const wider = new Uint8Array(2 * this.#count);
            wider.set(this.#bytes);
            [this.#bytes, this.#view] = [wider, new DataView(wider.buffer)];
        }
        return place;
    }

    /** @param {number} code 0 to 255 */
    code(code) {
        const place = this.#reserve(1);
        this.#view.setUint8(place, code);
    }

    /** @param {boolean} flag */
    flag(flag) { this.code(flag ? 1 : 0); }

    /** @param {number} number */
    number(number) {
        const place = this.#reserve(8);
        this.#view.setFloat64(place, number, true);
    }

    /** @param {number} count */
    count(count) {
        const place = this.#reserve(4);
        this.#view.setUint32(place, count, true);
    }

    /** @param {Uint8Array} bytes as they are */
    raw(bytes) {
        const place = this.#reserve(bytes.length);
        this.#bytes.set(bytes, place);
    }

    /** @param {Uint8Array} bytes */
    sized(bytes) {
        this.count(bytes.length);
        this.raw(bytes);
    }

    /** @param {string} text */
    text(text) { this.sized(new TextEncoder().encode(text)); }

    /**
     * @template T
     * @param {T | undefined | null} value
     * @param {(value: T) => void} write
     */
    optional(value, write) {
        this.flag(value !== undefined && value !== null);
        if (value !== undefined && value !== null) write(value);
    }

    /**
     * @template T
     * @param {readonly T[]} values
     * @param {(value: T) => void} write
     */
    list(values, write) {
        this.count(values.length);
        for (const value of values) write(value);
    }
}

/** Reads a flat record; what is beyond its end throws. Opposite: {@link RecordWriter}. */
export class RecordReader {
    #bytes;
    #view;
    #place = 0;

    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.#bytes = bytes;
        this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    /** @param {number} count */
    #take(count) {
        const place = this.#place;
        this.#place += count;
        return place;
    }

    code() { return this.#view.getUint8(this.#take(1)); }
    flag() { return this.code() === 1; }
    number() { return this.#view.getFloat64(this.#take(8), true); }
    count() { return this.#view.getUint32(this.#take(4), true); }

    /**
     * A copy.
     *
     * @param {number} count
     */
    raw(count) {
        const place = this.#take(count);
        if (this.#place > this.#bytes.length) throw new RangeError('a record ends before its end');
        return this.#bytes.slice(place, place + count);
    }

    sized() { return this.raw(this.count()); }
    text() { return new TextDecoder().decode(this.sized()); }

    /**
     * @template T
     * @param {() => T} read
     * @returns {T | undefined}
     */
    optional(read) { return this.flag() ? read() : undefined; }

    /**
     * @template T
     * @param {() => T} read
     * @returns {T[]}
     */
    list(read) { return Array.from({ length: this.count() }, read); }
}
