/** @typedef {import('./engine-types.js').Permission} Permission */

/**
 * @typedef {object} ClientOptions
 * @property {URL | string} [server] its address; with `key`, or else `offlineKey`
 * @property {string} [key] of the project, for web pages
 * @property {string} [offlineKey] text of a key file: messages go sealed, by sound alone
 * @property {import('./modem.js').Modem} [modem] one that is loaded already
 * @property {Permission} [permission] as the user last decided; "undecided" by default
 * @property {() => Promise<boolean | undefined>} [permissionRequest]
 *     asks the user; called when an operation begins that is not permitted. undefined: the user has not said
 * @property {'background' | 'goesOn'} [hidden] what a page does out of view; by default it falls silent and hears nothing
 * @property {import('./medium.js').Medium} [medium] in place of microphone and loudspeaker
 * @property {import('./medium.js').AudioMediumOptions} [audio]
 * @property {import('./engine.js').EngineOptions['source']} [engine] the engine's module
 * @property {Partial<import('./server-link.js').LinkSettings>} [link]
 */

/**
 * What subscriptions are told, and besides:
 *
 * @typedef {Omit<import('./operations.js').OperationEvents, 'status'> & {
 *     status: import('./status-words.js').StatusInWords, permission: Permission, microphone: boolean }} ClientEvents
 *     microphone: whether it is forbidden
 */

export {};
