// NearbyClient against a real server: node --test Tools/web-tests
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NearbyClient } from '../../Sources/Web/library/client.js';
import { Air, engineModule, record, Server, until } from './support.mjs';

let server, engine;
const link = { leastWait: 50, mostWait: 500 };

before(async () => {
    engine = await WebAssembly.compile(await engineModule());
    server = await Server.start();
});

after(() => server.close());

/** Two clients that hear each other, and what closes them. */
async function pair(t, options = {}) {
    const air = new Air();
    const start = () => {
        const medium = air.medium();
        return NearbyClient.start({ server: server.address, key: server.key, permission: 'granted', engine, medium, link, ...options })
            .then((client) => ({ client, medium }));
    };
    const [box, phone] = [await start(), await start()];
    t.after(async () => {
        await Promise.all([box.client.close(), phone.client.close()]);
        air.close();
    });
    return { box, phone, air };
}

test('what is published is found once, updated, and lost when it ends', async (t) => {
    const { box, phone } = await pair(t);
    const told = record(phone.client.subscribe({ type: 'sign' }, { discovery: 'scan' }));
    const publication = box.client.publish({ type: 'sign', content: 'open until six' }, { discovery: 'broadcast' });
    box.client.publish({ type: 'other', content: 'not asked for' }, { discovery: 'broadcast' });
    await until(() => told.length >= 1, 'found');
    publication.update({ type: 'sign', content: 'open until seven' });
    await until(() => told.length >= 2, 'updated');
    publication.unpublish();
    await until(() => told.length >= 3, 'lost');
    assert.deepEqual(told, ['found open until six', 'updated open until seven', 'lost open until seven']);
    assert.equal(phone.medium.frames, 0, 'who only scans never sounds');
});

test('who walks away is lost, and found when he is back', async (t) => {
    const { box, phone } = await pair(t);
    const told = record(phone.client.subscribe());
    box.client.publish({ content: 'here' });
    await until(() => told.length === 1, 'found');
    box.medium.isOut = true;
    await until(() => told.length === 2, 'lost', 40);
    box.medium.isOut = false;
    await until(() => told.length === 3, 'found again');
    assert.deepEqual(told, ['found here', 'lost here', 'found here']);
});

test('a server that was killed comes back, and nothing is found twice', async (t) => {
    const { box, phone } = await pair(t);
    const told = record(phone.client.subscribe());
    box.client.publish({ content: 'still here' });
    await until(() => told.length === 1, 'found');
    await server.kill();
    await until(() => phone.client.status.server !== undefined, 'the phone says that the server does not answer');
    assert.match(phone.client.status.words.join(), /does not answer.*trying again/);
    await server.run();
    await until(() => phone.client.status.server === undefined && box.client.status.server === undefined, 'both are back', 60);
    const second = box.client.publish({ content: 'another' });
    await until(() => told.includes('found another'), 'what is published after it', 30);
    second.unpublish();
    await until(() => told.includes('lost another'), 'and lost');
    assert.deepEqual(told, ['found still here', 'found another', 'lost another']);
});

test('a key that the server does not know is said in a line', async (t) => {
    const { phone } = await pair(t, { key: 'wrong' });
    phone.client.subscribe();
    await until(() => phone.client.status.server !== undefined, 'an error');
    assert.match(phone.client.status.server, /does not know this API key \(status 401\)/);
    assert.doesNotMatch(phone.client.status.server, /wrong,.*wrong/);
});

test('without permission nothing is sent, and with it what waits begins; withdrawn, what was found is lost', async (t) => {
    let isAsked = 0;
    const { box, phone } = await pair(t, { permission: 'undecided', permissionRequest: async () => { isAsked += 1; } });
    const subscription = phone.client.subscribe();
    const told = record(subscription);
    box.client.publish({ content: 'agreed' });
    await until(() => isAsked === 2, 'both are asked');
    assert.equal(subscription.status.state, 'inactive');
    assert.equal(box.medium.assignment.broadcast, undefined);
    const permissions = [];
    phone.client.addEventListener('permission', ({ detail }) => permissions.push(detail));
    for (const { client } of [box, phone]) client.setPermission('granted');
    await until(() => told.length === 1, 'found');
    phone.client.setPermission('denied');
    assert.deepEqual([told, permissions], [['found agreed', 'lost agreed'], ['granted', 'denied']]);
    assert.equal(phone.medium.assignment.isScanning, false);
});

test('a microphone that may not be used is said, and what waits goes on when it may', async (t) => {
    const { box, phone } = await pair(t);
    const told = record(phone.client.subscribe({}, { discovery: 'scan' }));
    const forbidden = [];
    phone.client.addEventListener('microphone', ({ detail }) => forbidden.push(detail));
    phone.medium.set({ scan: 'forbidden', scanReason: 'The microphone may not be used by this page.' });
    assert.match(phone.client.status.words.join(), /microphone may not be used/);
    phone.medium.set({});
    box.client.publish({ content: 'heard' });
    await until(() => told.length === 1, 'found');
    assert.deepEqual(forbidden, [true, false]);
});

test('a time to live ends both', async (t) => {
    const { box, phone } = await pair(t);
    const told = record(phone.client.subscribe({}, { ttlSeconds: 3 }));
    box.client.publish({ content: 'short' }, { ttlSeconds: 2 });
    await until(() => told.includes('expired'), 'the subscription ends');
    assert.deepEqual(told, ['found short', 'lost short', 'expired']);
});

test('what cannot be is refused in a line', async (t) => {
    const { phone } = await pair(t);
    assert.throws(() => phone.client.publish({ type: 'x'.repeat(33), content: '' }), /at most 32 characters, not 33/);
    assert.throws(() => phone.client.publish({ content: new Uint8Array(102_401) }), /at most 102400 bytes, not 102401/);
    assert.throws(() => phone.client.subscribe({}, { discovery: 'loudly' }), /broadcast, scan or both, not 'loudly'/);
    await assert.rejects(NearbyClient.start({}), /expected a server and its key, or an offline key/);
});

test('messages go sealed without a server, to those who have the key alone', async (t) => {
    const offline = await WebAssembly.compile(await engineModule('nearby-offline.wasm'));
    const keyFile = (letter) => `# a comment\nproject shop\nkey ${letter.repeat(42)}A\n`;
    const air = new Air();
    const start = (offlineKey) => NearbyClient.start({ offlineKey, permission: 'granted', engine: offline, medium: air.medium() });
    const [box, phone, stranger] = await Promise.all([start(keyFile('B')), start(keyFile('B')), start(keyFile('C'))]);
    t.after(async () => {
        await Promise.all([box, phone, stranger].map((client) => client.close()));
        air.close();
    });
    const [told, strange] = [phone, stranger].map((client) => record(client.subscribe({}, { discovery: 'scan' })));
    const publication = box.publish({ type: 'sign', content: 'sealed, in several frames' }, { discovery: 'broadcast' });
    await until(() => told.length === 1, 'found');
    publication.unpublish();
    await until(() => told.length === 2, 'lost', 40);
    assert.deepEqual([told, strange], [['found sealed, in several frames', 'lost sealed, in several frames'], []]);
    await assert.rejects(start('project shop\n'), /the offline key is none: no line begins with 'key'/);
});
