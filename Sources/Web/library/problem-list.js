import { problem } from './problems.js';

/** @typedef {import('./problems.js').Problem} Problem */
/** @typedef {import('./problems.js').ProblemKind} ProblemKind */

/** Seconds that a measured problem has to last before it is told, and to be away before it is solved. */
const patienceSeconds = 3;

/** What is wrong at present. */
export class ProblemList {
    /** @type {Map<ProblemKind, Problem>} */
    #problems = new Map();
    /**
     * For how many seconds each problem has looked other than it is told.
     * @type {Map<ProblemKind, number>}
     */
    #seconds = new Map();
    #onChange;

    /** @param {(raised: Problem | undefined, solved: ProblemKind | undefined) => void} onChange is told of one of the two */
    constructor(onChange) { this.#onChange = onChange; }

    /** @returns {readonly Problem[]} */
    get all() { return [...this.#problems.values()]; }

    /** @param {ProblemKind} kind */
    has(kind) { return this.#problems.has(kind); }

    /**
     * A problem is there, or is not, as is known for certain.
     *
     * @param {ProblemKind} kind
     * @param {boolean} isThere
     * @param {string} [detail]
     */
    note(kind, isThere, detail) {
        if (isThere) this.raise(kind, detail);
        else this.solve(kind);
    }

    /**
     * A problem seems to be there, or not, as was measured in this second.
     *
     * @param {ProblemKind} kind
     * @param {boolean} isThere
     * @param {string} [detail]
     */
    measure(kind, isThere, detail) {
        const seconds = isThere === this.has(kind) ? 0 : (this.#seconds.get(kind) ?? 0) + 1;
        this.#seconds.set(kind, seconds);
        if (seconds >= patienceSeconds) this.note(kind, isThere, detail);
    }

    /**
     * @param {ProblemKind} kind
     * @param {string} [detail]
     */
    raise(kind, detail) {
        const raised = problem(kind, detail);
        if (this.#problems.get(kind)?.message === raised.message) return;
        this.#problems.set(kind, raised);
        this.#onChange(raised, undefined);
    }

    /** @param {ProblemKind} kind */
    solve(kind) {
        if (this.#problems.delete(kind)) this.#onChange(undefined, kind);
    }
}
