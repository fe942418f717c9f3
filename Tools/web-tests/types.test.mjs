// The library in a project in TypeScript: its page's examples are compiled with the declarations. Needs .build/web-npm (Tools/web --npm) and tsc.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from './places.mjs';

const project = mkdtempSync(join(tmpdir(), 'web-tests-types-'));
after(() => rmSync(project, { recursive: true }));
mkdirSync(join(project, 'node_modules'));
symlinkSync(`${root}.build/web-npm`, join(project, 'node_modules/nearby-modem'));
writeFileSync(join(project, 'package.json'), '{ "type": "module" }');

/** What the compiler says of a program; empty when nothing is wrong with it. */
function compile(program) {
    const file = join(project, 'program.ts');
    writeFileSync(file, program);
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'node16', '--moduleResolution', 'node16', '--lib', 'es2022,dom,dom.iterable'];
    try {
        return execFileSync('tsc', [...flags, file], { cwd: project, encoding: 'utf8' });
    } catch (error) {
        return error.stdout || String(error);
    }
}

/** What the examples take from the page they would be in. */
const page = `declare const button: HTMLButtonElement, key: string, samples: Float32Array;
declare function show(message: { content: Uint8Array }): void;
`;

test('the examples of the library\'s page compile as TypeScript', () => {
    const examples = [...readFileSync(`${root}Sources/Web/README.md`, 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text);
    assert.ok(examples.length >= 4, `${examples.length} examples`);
    for (const example of examples) assert.equal(compile(page + example), '', example);
});

test('what is wrong is told by the compiler: a profile\'s type, an event that there is not, a detail of another event', () => {
    const start = `import { Listener } from 'nearby-modem';\nconst listener = await Listener.start();\n`;
    assert.match(compile(`${start}listener.setProfiles('dsss');`), /not assignable to parameter of type 'string\[\]'/);
    assert.match(compile(`${start}listener.addEventListener('heard', ({ detail }) => detail.message);`), /'message' does not exist/);
    assert.match(compile(`${start}listener.addEventListener('herd', ({ detail }) => detail);`), /'detail' does not exist/);
});
