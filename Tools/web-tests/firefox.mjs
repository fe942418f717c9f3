import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const patience = 60_000, pollMilliseconds = 100;

/** A headless Firefox, spoken to by Marionette, its own protocol: JSON with its length before it, over loopback. */
export class Firefox {
    #process;
    #folder;
    #socket;
    #lastID = 0;
    #waiting = new Map();

    /**
     * @param {Record<string, string>} env
     * @throws {Error} in one line why there is none
     */
    static async start(env) {
        const folder = mkdtempSync(join(tmpdir(), 'web-tests-'));
        const port = await freePort();
        const preferences = {
            'marionette.port': port, 'media.navigator.permission.disabled': true, 'media.autoplay.default': 0,
            'datareporting.policy.dataSubmissionEnabled': false, 'app.update.enabled': false, 'browser.shell.checkDefaultBrowser': false,
        };
        writeFileSync(join(folder, 'user.js'),
            Object.entries(preferences).map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});\n`).join(''));
        const child = spawn('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', folder],
            { stdio: 'ignore', env: { ...process.env, HOME: folder, ...env } });
        const firefox = new Firefox(child, folder);
        process.once('exit', firefox.#kill);
        try {
            await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
            await firefox.#connect(port);
            await firefox.send('WebDriver:NewSession', {});
        } catch (error) {
            await firefox.close();
            throw new Error(`no Firefox here (apt-get install firefox-esr): ${error.message}`);
        }
        return firefox;
    }

    constructor(child, folder) { [this.#process, this.#folder] = [child, folder]; }

    async #connect(port) {
        for (const deadline = Date.now() + patience; ;) {
            const socket = connect(port, '127.0.0.1');
            const error = await new Promise((resolve) => socket.once('connect', () => resolve(undefined)).once('error', resolve));
            if (!error) {
                this.#socket = socket;
                break;
            }
            if (Date.now() > deadline || this.#process.exitCode !== null) throw error;
            await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
        }
        let pending = Buffer.alloc(0);
        this.#socket.on('data', (part) => {
            pending = Buffer.concat([pending, part]);
            for (;;) {
                const colon = pending.indexOf(':');
                const end = colon + 1 + Number(pending.subarray(0, colon));
                if (colon < 0 || pending.length < end) return;
                this.#take(JSON.parse(pending.subarray(colon + 1, end).toString()));
                pending = pending.subarray(end);
            }
        });
    }

    #take(message) {
        // The first greets; answers are [1, id, error, result].
        if (!Array.isArray(message)) return;
        const [, id, error, result] = message;
        const { resolve, reject, command } = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) reject(new Error(`${command}: ${error.message}`));
        else resolve(result?.value === undefined ? result : result.value);
    }

    send(command, parameters) {
        const id = ++this.#lastID, text = JSON.stringify([0, id, command, parameters]);
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, command });
            this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
        });
    }

    open(address) { return this.send('WebDriver:Navigate', { url: address }); }

    evaluate(expression) { return this.send('WebDriver:ExecuteScript', { script: `return ${expression}`, args: [] }); }

    /** A click as of a mouse. */
    async click(selector) {
        const element = await this.send('WebDriver:FindElement', { using: 'css selector', value: selector });
        await this.send('WebDriver:ElementClick', { id: Object.values(element)[0] });
    }

    /** Waits until an expression is true, and returns its value. */
    async until(expression, milliseconds = patience) {
        for (const deadline = Date.now() + milliseconds; ;) {
            const value = await this.evaluate(expression);
            if (value) return value;
            if (Date.now() > deadline) {
                throw new Error(`waited ${milliseconds / 1000} s in vain for ${expression}; ${await this.evaluate('document.body.innerText.slice(0, 500)')}`);
            }
            await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
        }
    }

    async close() {
        this.#socket?.destroy();
        if (this.#process.exitCode === null && this.#process.pid) {
            const ended = new Promise((resolve) => this.#process.once('exit', resolve));
            this.#process.kill();
            const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
            await ended;
            clearTimeout(timer);
        }
        process.removeListener('exit', this.#kill);
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    }

    #kill = () => {
        this.#process.kill('SIGKILL');
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    };
}

async function freePort() {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}
