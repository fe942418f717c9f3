/**
 * Everything of the library in one place. Who needs the modem alone, in node or in a worker, imports `modem.js`.
 *
 * @module
 */

export { bytes, hex, Modem, Receiver } from './modem.js';
export { Listener, ListenerError } from './listener.js';
export { Playing, Speaker } from './speaker.js';
export { Probe } from './probe.js';
export { EngineError, NearbyClient, Publication, Subscription } from './client.js';
