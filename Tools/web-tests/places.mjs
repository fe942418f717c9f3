import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether times are judged, for an idle machine: JUDGE_TIMES=1. They are told in any case. */
export const judges = process.env.JUDGE_TIMES === '1';

/** The page's sources. */
export const page = `${root}Sources/Web/page`;
/** What is served, as Tools/web builds it. */
export const site = process.env.WEB_FOLDER ?? `${root}.build/web`;

/** Where the sounds of the tests are kept; they are the same each time. */
const sounds = `${root}.build/web-tests`;

/** Runs nearby-modem, the one that was built last or that `NEARBY_MODEM` names. */
export function modem(...words) {
    const built = ['release', 'debug'].map((kind) => `${root}.build/${kind}/nearby-modem`);
    const program = process.env.NEARBY_MODEM ?? built.find(existsSync);
    if (!program) throw new Error('expected .build/release/nearby-modem or .build/debug/nearby-modem: swift build --product nearby-modem');
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * A WAV file of 44.1 kHz, the fake microphone's own rate: made by the commands once, then kept. `OUT` stands for it, `IN` for what
 * the command before made.
 *
 * @param {string} name
 * @param {string[][]} commands
 */
export function sound(name, ...commands) {
    mkdirSync(sounds, { recursive: true });
    const out = `${sounds}/${name}.wav`;
    if (existsSync(out)) return out;
    let made = '';
    commands.forEach((command, index) => {
        const next = index === commands.length - 1 ? out : `${sounds}/${name}-${index}.wav`;
        modem(...command.map((word) => word === 'OUT' ? next : word === 'IN' ? made : word));
        made = next;
    });
    return out;
}

/** How long a sound is that was made here: 16 bits, one channel, 44.1 kHz, a header of 44 bytes. */
export const milliseconds = (file) => (statSync(file).size - 44) / 88.2;

/** A box in a room, heard faintly: browser and native receiver tell SNR −1.9 dB. */
export const roomSound = () => sound('room',
    ['encode', '--text', 'room 4', '--rate', '44100', '-o', 'OUT'],
    ['channel', 'IN', '-o', 'OUT', '--snr', '0', '--rt60', '0.4', '--drr', '0', '--seed', '1', '--lead', '2', '--trail', '3']);

/** The same box near by. */
export const nearSound = () => sound('near',
    ['encode', '--text', 'room 4', '--rate', '44100', '-o', 'OUT'],
    ['channel', 'IN', '-o', 'OUT', '--snr', '16', '--rt60', '0.3', '--drr', '6', '--seed', '2', '--lead', '1.5', '--trail', '2']);

/** A box in both waveforms, first the near-ultrasonic one. */
export const bothSound = () => sound('both',
    ['encode', '--text', 'audible 4', '--profile', 'fsk-audible', '--rate', '44100', '--level', '-20', '-o', 'OUT'],
    ['encode', '--text', 'room 4', '--level', '-20', '--mix', 'IN', '-o', 'OUT']);
