/** A wait that may be ended early. There is one at a time. */
export class Pause {
    #end = () => {};

    /** @param {number} milliseconds */
    wait(milliseconds) {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            this.#end = () => {
                clearTimeout(timer);
                resolve(undefined);
            };
        });
    }

    /** Ends the wait, if there is one. */
    end() { this.#end(); }
}
