import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const patience = 10_000, pollMilliseconds = 50;

/**
 * A PulseAudio of its own, whose one sink is the one microphone's air: what a browser plays, a browser hears, at 48 kHz.
 *
 * @returns {Promise<{ env: Record<string, string>, restart(pause: number): Promise<void>, close(): Promise<void> }>} env is for the
 *     browser; restart ends the server and begins it anew after so many milliseconds
 * @throws {Error} in one line why there is none
 */
export async function nullSink() {
    const folder = mkdtempSync(join(tmpdir(), 'web-tests-sound-'));
    const socket = join(folder, 'socket');
    const leave = () => rmSync(folder, { recursive: true, force: true });
    let server = await run(folder, socket).catch((error) => {
        leave();
        throw error;
    });
    const kill = () => {
        server.kill('SIGKILL');
        leave();
    };
    process.once('exit', kill);
    return {
        env: { PULSE_SERVER: `unix:${socket}` },
        async restart(pause) {
            await server.end();
            rmSync(socket, { force: true });
            await new Promise((resolve) => setTimeout(resolve, pause));
            server = await run(folder, socket);
        },
        async close() {
            await server.end();
            process.removeListener('exit', kill);
            leave();
        },
    };
}

/** One run of the server, once it answers. */
async function run(folder, socket) {
    const child = spawn('pulseaudio', [
        '-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disable-shm=yes', '--log-target=stderr',
        '--load=module-null-sink sink_name=room rate=48000 channels=1 sink_properties=device.description=Room',
        // Browsers leave monitors out of their lists; this one is a microphone like others.
        '--load=module-remap-source source_name=mic master=room.monitor source_properties=device.description=Microphone',
        `--load=module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
    ], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, XDG_RUNTIME_DIR: folder, PULSE_RUNTIME_PATH: folder, HOME: folder } });
    let words = '';
    child.stderr.on('data', (text) => { words += text; });
    const state = { isOver: false };
    const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve)).then(() => { state.isOver = true; });
    const end = async () => {
        child.kill();
        await ended;
    };
    for (const deadline = Date.now() + patience; !existsSync(socket);) {
        if (state.isOver || Date.now() > deadline) {
            await end();
            throw new Error(`no PulseAudio here (apt-get install pulseaudio)${words && `: ${words.trim().split('\n').pop()}`}`);
        }
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
    return { end, kill: (signal) => child.kill(signal) };
}
