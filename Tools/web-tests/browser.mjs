import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds after which waiting ends. Generous: other work may have both cores. */
const patience = 30_000;
const pollMilliseconds = 50;

// Who is ended by a signal cleans up too: 'exit' is told only of an end of one's own.
for (const [signal, number] of /** @type {const} */ ([['SIGINT', 2], ['SIGTERM', 15]])) {
    process.once(signal, () => process.exit(128 + number));
}

/**
 * A headless Chromium, spoken to over a pipe: no port, no package. Its microphone plays a file again and again, at 44.1 kHz, or is
 * whatever the flags say.
 */
export class Browser {
    #process;
    #folder;
    #lastID = 0;
    #waiting = new Map();
    #listeners = new Set();
    #ended;

    /**
     * @param {{ sound?: string, flags?: string[], microphone?: boolean, permission?: boolean, env?: Record<string, string> }} [options]
     *     sound: a WAV file of 44.1 kHz as the microphone; microphone: false for a machine that has none;
     *     permission: false for a user who forbids it
     */
    static async start({ sound, flags = [], microphone = true, permission = true, env = {} } = {}) {
        const folder = mkdtempSync(join(tmpdir(), 'web-tests-'));
        const fake = microphone ? ['--use-fake-device-for-media-stream'] : [];
        const child = spawn('chromium', [
            '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${folder}`,
            permission ? '--use-fake-ui-for-media-stream' : '--deny-permission-prompts', ...fake, ...(sound ? [`--use-file-for-fake-audio-capture=${sound}`] : []),
            '--hide-scrollbars', ...flags, 'about:blank',
        ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
        const browser = new Browser(child, folder);
        // Whatever ends this process ends the browser, and takes its folder away.
        process.once('exit', browser.#kill);
        await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', (error) => {
            reject(new Error(`expected a program 'chromium' (apt-get install chromium): ${error.message}`));
        }));
        return browser;
    }

    /** Ends the browser's own process for sound, as a crash would: the next one, which it makes by itself, looks for a sound server anew. */
    endAudioService() {
        const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n').map((line) => line.trim().split(/\s+/));
        const parents = new Map(lines.map(([pid, parent]) => [pid, parent]));
        const isOurs = (pid) => pid === String(this.#process.pid) || parents.has(pid) && isOurs(parents.get(pid));
        for (const [pid, , ...words] of lines) if (words.some((word) => word.includes('AudioService')) && isOurs(pid)) process.kill(pid, 'SIGKILL');
    }

    constructor(child, folder) {
        [this.#process, this.#folder] = [child, folder];
        let pending = '';
        child.stdio[4].setEncoding('utf8').on('data', (text) => {
            const messages = (pending + text).split('\0');
            pending = messages.pop();
            for (const message of messages) this.#take(JSON.parse(message));
        });
        this.#ended = new Promise((resolve) => child.once('exit', (code) => {
            for (const { reject } of this.#waiting.values()) reject(new Error(`Chromium ended with ${code}`));
            this.#waiting.clear();
            resolve();
        }));
    }

    /** One command of the DevTools protocol. */
    send(method, params = {}, sessionId = undefined) {
        const id = ++this.#lastID;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, method });
            this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        });
    }

    /** Calls with each event of the protocol. */
    onEvent(body) { this.#listeners.add(body); }

    /**
     * A new tab. Scripts run before the page's own; `context` is a profile of its own.
     *
     * @param {{ scripts?: string[], width?: number, height?: number, scale?: number }} [options]
     */
    async tab({ scripts = [], width = 1280, height = 900, scale = 1 } = {}) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        const tab = new Tab(this, sessionId, targetId);
        for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await tab.send(`${domain}.enable`);
        await tab.resize(width, height, scale);
        for (const source of scripts) await tab.send('Page.addScriptToEvaluateOnNewDocument', { source });
        return tab;
    }

    async close() {
        if (this.#process.exitCode === null) {
            // It may end before it has answered.
            const closed = this.send('Browser.close').catch(() => undefined);
            const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
            await Promise.all([closed, this.#ended]);
            clearTimeout(timer);
        }
        process.removeListener('exit', this.#kill);
        rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    }

    #kill = () => {
        this.#process.kill('SIGKILL');
        // Its children end a little later, and write until then.
        for (let attempt = 0; ; attempt++) {
            try {
                return rmSync(this.#folder, { recursive: true, force: true });
            } catch (error) {
                if (attempt === 40) throw error;
                Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMilliseconds);
            }
        }
    };

    #take(message) {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        if (!waiting) return this.#listeners.forEach((body) => body(message));
        if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
        else waiting.resolve(message.result);
    }
}

/** A page in a browser. */
export class Tab {
    #browser;
    #session;
    #target;
    /** What the page complained about: exceptions, errors on the console, violations of its policy. */
    errors = [];

    constructor(browser, session, target) {
        [this.#browser, this.#session, this.#target] = [browser, session, target];
        browser.onEvent(({ method, params, sessionId }) => {
            if (sessionId !== session) return;
            if (method === 'Runtime.exceptionThrown') {
                const { exception, text } = params.exceptionDetails;
                this.errors.push(exception?.description ?? text);
            }
            if (method === 'Runtime.consoleAPICalled' && params.type === 'error') {
                this.errors.push(params.args.map(({ value, description }) => value ?? description).join(' '));
            }
            // A page without a server asks for its configuration, and there is none.
            if (method === 'Log.entryAdded' && params.entry.level === 'error' && !params.entry.url?.endsWith('web-config.json')) {
                this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
            }
        });
    }

    send(method, params = {}) { return this.#browser.send(method, params, this.#session); }

    async open(address) {
        const loaded = new Promise((resolve) => this.#browser.onEvent(({ method, sessionId }) => {
            if (method === 'Page.loadEventFired' && sessionId === this.#session) resolve();
        }));
        await this.send('Page.navigate', { url: String(address) });
        await loaded;
    }

    resize(width, height, scale = 1) {
        return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: width < 500 });
    }

    /** Media features, as `{ 'prefers-color-scheme': 'dark' }`. */
    prefer(features) {
        return this.send('Emulation.setEmulatedMedia', {
            features: Object.entries(features).map(([name, value]) => ({ name, value })),
        });
    }

    /** A tab in front of this one, in its window. */
    another() { return this.#browser.tab(); }

    toFront() { return this.send('Page.bringToFront'); }

    /** The value of an expression in the page, promises waited for. */
    async evaluate(expression) {
        const answer = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
        if (answer.exceptionDetails) {
            throw new Error(`${expression.slice(0, 200)}: ${answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text}`);
        }
        return answer.result.value;
    }

    /** The value of a function in the page, called with these. */
    call(body, ...values) { return this.evaluate(`(${body})(${values.map((value) => JSON.stringify(value)).join(', ')})`); }

    /** Waits until an expression is true, and returns its value. */
    async until(expression, what = expression, milliseconds = patience) {
        const deadline = Date.now() + milliseconds;
        for (;;) {
            const value = await this.evaluate(expression);
            if (value) return value;
            if (Date.now() > deadline) {
                const page = await this.evaluate('document.body.innerText.slice(0, 600)');
                throw new Error(`waited ${milliseconds / 1000} s in vain for ${what}; ${this.errors.join('; ')}; the page says: ${page}`);
            }
            await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
        }
    }

    /** A real click, as of a finger or a mouse: browsers let no other begin to sound. */
    async click(selector) {
        // Controls are off until what they do is loaded.
        await this.until(`document.querySelector(${JSON.stringify(selector)})?.disabled !== true`);
        const { x, y } = await this.call((wanted) => {
            const element = document.querySelector(wanted);
            if (!element) throw new Error(`there is no ${wanted}`);
            element.scrollIntoView({ block: 'center', behavior: 'instant' });
            const box = element.getBoundingClientRect();
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }, selector);
        for (const type of ['mousePressed', 'mouseReleased']) {
            await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
        }
    }

    /** Presses a key: 'Tab', 'Enter', ' '. */
    async press(key, { shift = false } = {}) {
        const code = { Tab: 9, Enter: 13, ' ': 32 }[key];
        const text = { Enter: '\r', ' ': ' ' }[key];
        const event = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: code, text, modifiers: shift ? 8 : 0 };
        await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    }

    /**
     * Probes as a user would, who tries again when sound was lost or came too late.
     *
     * @returns {Promise<string>} what the page says at last
     */
    async probe(attempts = 4) {
        const state = `document.getElementById('probe-state').textContent`;
        for (let attempt = 1; ; attempt++) {
            await this.click('#probe-button');
            await this.until(`!/^(Done|Nothing)/.test(${state})`);
            const said = await this.until(`/^(Done|Nothing)/.test(${state}) && ${state}`);
            if (said === 'Done.' || attempt === attempts) return said;
        }
    }

    /** Types into a field in place of what is there. */
    async type(selector, text) {
        await this.call((wanted) => {
            const field = document.querySelector(wanted);
            field.focus();
            field.select();
        }, selector);
        await this.send('Input.insertText', { text });
    }

    /** A PNG. */
    async screenshot({ whole = false } = {}) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: whole });
        return Buffer.from(data, 'base64');
    }

    close() { return this.#browser.send('Target.closeTarget', { targetId: this.#target }); }
}
