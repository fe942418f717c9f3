// A thread of its own for what may take long: a receiver's push may take a second, an encoding a quarter of one.

import { Modem } from './modem.js';

/** @typedef {import('./receiver.js').Heard} Heard */

/**
 * The module is kept: an instance that has trapped is replaced.
 * @type {WebAssembly.Module}
 */
let module;
/** @type {Modem} */
let modem;
/**
 * What it listens for.
 * @type {{ profiles: string[], sampleRate: number, channelCount: number }}
 */
let settings;
/** @type {import('./receiver.js').Receiver | undefined} */
let receiver;
/** The frame of the context that the receiver calls its first, and the next one that it waits for. */
let origin = 0, next = 0;
/** Blocks before this frame are dropped: the receiver was too slow for them. */
let dropBefore = 0;

/** @param {unknown} error */
const words = (error) => error instanceof Error ? error.message : String(error);

/**
 * A receiver that begins with this frame.
 *
 * @param {number} frame
 */
function begin(frame) {
    receiver?.close();
    receiver = modem.receiver(settings);
    origin = next = frame;
}

/** @param {Heard[]} heard */
function tell(heard) {
    for (const one of heard) postMessage({ heard: one, contextSeconds: origin / settings.sampleRate + one.startSeconds });
}

/** @param {{ first: number, channels: Float32Array[] }} block */
function hear({ first, channels }) {
    try {
        if (!receiver || first < next) begin(first);
        if (!receiver) return;
        if (first > next) tell(receiver.skip(first - next));
        const { length } = channels[0];
        tell(first < dropBefore ? receiver.skip(length) : receiver.push(...channels));
        next = first + length;
    } catch (error) {
        // What is wrong with one instance is not wrong with the next: this one has lost what it knew.
        receiver = undefined;
        modem = new Modem(module);
        postMessage({ failed: words(error) });
    }
    postMessage({ heardUntil: next });
}

/** @param {{ id: number, token: Uint8Array | string, options: { profile?: string, sampleRate: number, lane?: number } }} request */
function encode({ id, token, options }) {
    try {
        const samples = modem.encode(token, options);
        postMessage({ id, samples }, { transfer: [samples.buffer] });
    } catch (error) {
        postMessage({ id, error: words(error) });
    }
}

onmessage = ({ data, ports }) => {
    if (data.module) {
        module = data.module;
        modem = new Modem(module);
    }
    if (data.listen) {
        const { sampleRate, channelCount } = data.listen;
        const isNew = settings?.sampleRate !== sampleRate || settings.channelCount !== channelCount;
        settings = data.listen;
        dropBefore = 0;
        if (isNew) receiver = undefined;
        else if (receiver) begin(next);
    }
    if (ports[0]) ports[0].onmessage = (event) => hear(event.data);
    if (data.dropBefore !== undefined) dropBefore = data.dropBefore;
    if (data.encode) encode(data.encode);
};
