/**
 * An EventTarget whose events are CustomEvents, their details known by their names.
 *
 * @template Details such as `{ heard: Heard, state: ListenerState }`
 * @typedef {{
 *     addEventListener<Name extends keyof Details & string>(
 *         name: Name, body: (event: CustomEvent<Details[Name]>) => void, options?: AddEventListenerOptions | boolean): void,
 *     removeEventListener<Name extends keyof Details & string>(
 *         name: Name, body: (event: CustomEvent<Details[Name]>) => void, options?: EventListenerOptions | boolean): void,
 * } & EventTarget} Emitter
 */

export {};
