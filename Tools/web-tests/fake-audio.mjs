// A browser's sound for node: contexts whose time can be made to stand still, as it does when the system's sound server has gone.

/** All contexts that were made, the newest last. */
export const contexts = [];
/** What may go wrong: `stands` stops the time of every context that is there; microphones may be refused, or be silent. */
export const system = { microphones: 0, refuses: false, level: 0.1 };

class Context extends EventTarget {
    #before = 0;
    #since = performance.now();
    sampleRate = 48_000;
    state = 'running';
    destination = {};
    audioWorklet = { addModule: async () => {} };

    constructor() {
        super();
        contexts.push(this);
    }

    get currentTime() { return this.#before + (this.#since === undefined ? 0 : (performance.now() - this.#since) / 1000); }

    /** The system plays no more; the state goes on to say "running". */
    stand() { [this.#before, this.#since] = [this.currentTime, undefined]; }
    async suspend() {}
    async resume() { this.resumed?.(); }
    go() { this.#since ??= performance.now(); }
    async close() { this.state = 'closed'; }
    createMediaStreamSource() { return new Node(this); }
}

class Node {
    port = { postMessage() {} };
    frequencyBinCount = 4096;
    fftSize = 8192;
    constructor(context) { this.context = context; }
    connect(next) { return next; }
    disconnect() {}
    getFloatFrequencyData(spectrum) { spectrum.fill(-60); }
    getFloatTimeDomainData(samples) { samples.fill(system.level); }
}

class Source extends Node {
    constructor(context, { buffer }) {
        super(context);
        this.buffer = buffer;
    }

    /** It ends when the context's time has come so far. */
    start(at) {
        const timer = setInterval(() => {
            if (this.context.currentTime < at + this.buffer.duration) return;
            clearInterval(timer);
            this.onended?.();
        }, 10);
        timer.unref();
    }
}

/** A modem's thread that has heard all that the newest context has played. */
class Thread {
    #timer;
    postMessage({ listen }) {
        if (!listen) return;
        this.#timer ??= setInterval(() => this.onmessage({ data: { heardUntil: Math.round(contexts.at(-1).currentTime * 48_000) } }), 100);
    }
    terminate() { clearInterval(this.#timer); }
}

class Buffer {
    constructor({ length, sampleRate }) { this.duration = length / sampleRate; }
    copyToChannel() {}
}

const track = () => ({ label: 'fake', muted: false, getSettings: () => ({}), stop() {} });
const mediaDevices = Object.assign(new EventTarget(), {
    async getUserMedia() {
        if (system.refuses) throw Object.assign(new Error('busy'), { name: 'NotReadableError' });
        system.microphones += 1;
        const tracks = [track()];
        return { getAudioTracks: () => tracks, getTracks: () => tracks };
    },
});

/** Puts them where a browser has them. */
export function install() {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const others = {
        document, navigator: { mediaDevices }, AudioContext: Context, GainNode: Node, AnalyserNode: Node, AudioWorkletNode: Node,
        AudioBuffer: Buffer, AudioBufferSourceNode: Source, Worker: Thread,
    };
    for (const [name, value] of Object.entries(others)) Object.defineProperty(globalThis, name, { value, configurable: true });
}
