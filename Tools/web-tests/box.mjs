import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './support.mjs';

/** `nearby stb`: a box that says a line by PulseAudio, and takes messages. */
export class Box {
    /** @param {{ text: string, server: import('./support.mjs').Server, env: Record<string, string> }} options env: of its PulseAudio */
    static async start({ text, server, env }) {
        const box = new Box();
        box.folder = await mkdtemp(join(tmpdir(), 'nearby-box-'));
        box.messages = join(box.folder, 'messages');
        const script = join(box.folder, 'on-message');
        await writeFile(script, `#!/bin/sh\ncat >> '${box.messages}'\n`);
        await chmod(script, 0o700);
        const configuration = join(box.folder, 'stb.toml');
        await writeFile(configuration, `
            announce.text = ${JSON.stringify(text)}
            audio.playback = "pulse"
            server = {url = "${server.address}", key = "${server.key}"}
            deliver.on-message = [${JSON.stringify(script)}]`);
        box.process = spawn(program, ['stb', '--config', configuration], {
            stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env },
        });
        box.log = '';
        box.process.stderr.on('data', (words) => { box.log += words; });
        box.ended = new Promise((resolve) => box.process.once('exit', resolve));
        return box;
    }

    /** Texts of the messages that arrived, in order. */
    get texts() {
        if (!existsSync(this.messages)) return [];
        // A line that is being written is not yet one.
        return readFileSync(this.messages, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line).text);
    }

    async close() {
        if (this.process.exitCode === null && this.process.signalCode === null) {
            this.process.kill();
            await this.ended;
        }
        await rm(this.folder, { recursive: true, force: true });
    }
}
