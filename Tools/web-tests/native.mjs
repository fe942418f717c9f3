import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { root } from './places.mjs';

const library = `${root}.build/c-library`;
const source = `${root}Tools/web-tests/native.c`;
const program = `${root}.build/web-tests/native`;

/** Builds the C library's filter, unless it is newer than what it is made of. */
function build() {
    const archive = `${library}/lib/libnearbymodem.a`;
    if (!existsSync(archive)) throw new Error('expected .build/c-library: Tools/c-library');
    const made = [source, archive].map((file) => statSync(file).mtimeMs);
    if (existsSync(program) && statSync(program).mtimeMs > Math.max(...made)) return;
    mkdirSync(`${root}.build/web-tests`, { recursive: true });
    execFileSync('gcc', ['-O2', '-Wall', '-Werror', `-I${library}/include`, '-o', program, source, archive, '-lm']);
}

/** The native modem, as far as the tests compare with it. */
export class Native {
    constructor() { build(); }

    /** One frame. @returns {Buffer} floats */
    encode(profile, rate, token) {
        return execFileSync(program, ['encode', profile, `${rate}`, token], { maxBuffer: 1 << 28 });
    }

    /** Lines of what is heard: token, profile, start, SNR. @param {Float32Array} samples */
    hear(profile, rate, samples) {
        const input = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
        const text = execFileSync(program, ['hear', profile, `${rate}`], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
        return text.split('\n').filter(Boolean);
    }
}
