import { ListenerError, problem } from './problems.js';

/** Each alone would take what lies above 16 kHz; not `exact`, which Safari has refused. */
const untouched = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** A microphone that is open. */
export class Microphone {
    /** @param {MediaStream} stream */
    constructor(stream) {
        this.stream = stream;
        this.track = stream.getAudioTracks()[0];
    }

    /**
     * Asks for a microphone, and the user if need be, without any processing of its sound.
     *
     * @param {string} [deviceID] nil: the browser's choice
     * @param {MediaTrackConstraints | true} [constraints] in place of ours
     * @param {number} [channelCount] the most that is of use
     * @returns {Promise<Microphone>}
     * @throws {ListenerError}
     */
    static async open(deviceID, constraints, channelCount = 1) {
        // Outside secure contexts there is no such member.
        if (!navigator.mediaDevices?.getUserMedia) throw new ListenerError(problem('insecure'));
        const audio = constraints === true ? true : { ...(constraints ?? { ...untouched, channelCount }), ...(deviceID && { deviceId: { exact: deviceID } }) };
        // Without it, iPhones turn down what is played while the microphone is open.
        const session = /** @type {{ audioSession?: { type: string } }} */ (navigator).audioSession;
        if (session) session.type = 'play-and-record';
        try {
            return new Microphone(await navigator.mediaDevices.getUserMedia({ audio }));
        } catch (error) {
            throw new ListenerError(problem(kindOf(/** @type {DOMException} */ (error))));
        }
    }

    /** What is done to the sound, in words; empty when nothing is that takes the band. */
    get processing() {
        const { echoCancellation, noiseSuppression } = this.track.getSettings();
        return [echoCancellation && 'echo cancellation is on', noiseSuppression && 'noise suppression is on']
            .filter(Boolean).join(' and ');
    }

    /**
     * Its own rate, where the browser tells it.
     *
     * @returns {number | undefined}
     */
    get sampleRate() { return this.track.getSettings().sampleRate; }

    /** What it gives; one where the browser does not tell. */
    get channelCount() {
        const settings = /** @type {MediaTrackSettings & { channelCount?: number }} */ (this.track.getSettings());
        return settings.channelCount ?? 1;
    }

    /** Lets it go. */
    close() {
        for (const track of this.stream.getTracks()) track.stop();
    }
}

/** @param {DOMException} error of getUserMedia */
function kindOf(error) {
    switch (error.name) {
        case 'NotAllowedError': case 'SecurityError': return 'denied';
        case 'NotFoundError': case 'OverconstrainedError': return 'no-microphone';
        default: return 'microphone-busy';
    }
}
