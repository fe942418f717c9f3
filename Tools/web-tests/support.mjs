// What the tests of the page's engine share. NEARBY: the program `nearby`.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, site } from './places.mjs';

export const program = process.env.NEARBY ?? join(root, '.build/debug/nearby');

/** A module of the engine, read from where it was built. */
export const engineModule = (name = 'nearby.wasm') => readFile(join(site, name));

/** Resolves once `isSo`; polls, for there is nothing to wait for in the other end's memory. Throws after `seconds`. */
export async function until(isSo, what, seconds = 20) {
    const end = Date.now() + 1000 * seconds;
    while (!await isSo()) {
        if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/** `nearby serve` with a database of its own; may be stopped and started again. */
export class Server {
    /** @param {string[]} [options] of the command, beyond what each server has */
    static async start(options = []) {
        const server = new Server();
        server.options = options;
        server.data = await mkdtemp(join(tmpdir(), 'nearby-web-'));
        server.port = await freePort();
        server.address = `http://127.0.0.1:${server.port}`;
        await server.run();
        server.key = (await readFile(join(server.data, 'key'), 'utf8')).trim();
        return server;
    }

    async run() {
        const options = ['--port', this.port, '--status-port', 0, '--data', this.data, '--first-key-file', join(this.data, 'key'), ...this.options];
        this.process = spawn(program, ['serve', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
        this.process.stderr.on('data', (text) => { this.log = (this.log ?? '') + text; });
        await until(async () => {
            if (this.process.exitCode !== null) throw new Error(`nearby serve ended: ${this.log}`);
            return fetch(`${this.address}/v1/report`, { method: 'POST' }).then(() => true, () => false);
        }, 'the server answers');
    }

    async kill() {
        const gone = new Promise((resolve) => this.process.once('exit', resolve));
        this.process.kill('SIGKILL');
        await gone;
    }

    async close() {
        if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
        await rm(this.data, { recursive: true });
    }
}

/** Sound without sound: whoever scans hears whoever broadcasts, a frame of each payload in turn. */
export class Air {
    media = new Set();

    medium() {
        const medium = new AirMedium(this);
        this.media.add(medium);
        return medium;
    }

    close() { for (const medium of this.media) clearInterval(medium.timer); }
}

class AirMedium {
    assignment = { isScanning: false };
    isOut = false;
    turn = 0;
    frames = 0;
    condition = {};

    constructor(air) { this.air = air; }

    begin(tell) {
        this.tell = tell;
        tell({ kind: 'condition', condition: this.condition });
        this.timer = setInterval(() => this.send(), 250);
    }

    carryOut(assignment) { this.assignment = assignment; }

    set(condition) {
        this.condition = condition;
        this.tell({ kind: 'condition', condition });
    }

    send() {
        const payloads = this.assignment.broadcast?.payloads;
        if (!payloads || this.isOut || this.condition.broadcast) return;
        const { frame } = payloads[this.turn++ % payloads.length];
        this.frames += 1;
        for (const other of this.air.media) {
            if (other.assignment.isScanning && !other.isOut) other.tell({ kind: 'sighted', frame, age: 0, signal: { snrDecibels: 3 } });
        }
        this.tell({ kind: 'sent' });
    }

    async close() { clearInterval(this.timer); }
}

/** All that a subscription was told, in words. */
export function record(target) {
    const told = [];
    for (const name of ['found', 'updated', 'lost', 'expired']) {
        target.addEventListener(name, ({ detail }) => {
            told.push(detail.message ? `${name} ${new TextDecoder().decode(detail.message.content)}` : name);
        });
    }
    return told;
}
