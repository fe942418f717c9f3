// What servers, and those between, answer otherwise than is hoped for: node --test Tools/web-tests
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NearbyClient } from '../../Sources/Web/library/client.js';
import { Between } from './between.mjs';
import { Air, engineModule, record, Server, until } from './support.mjs';

let server, between, engine;
before(async () => {
    engine = await WebAssembly.compile(await engineModule());
    server = await Server.start();
    between = await Between.start(server.address);
});
after(async () => {
    await between.close();
    await server.close();
});

const plain = (status, headers = {}, body = '') => (asked, answer) => {
    asked.resume();
    answer.writeHead(status, headers).end(body);
};
const json = (status, body, headers) => plain(status, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body));

/** What the page says of its server, if it is more than a delay, while each of these is in the way; then all goes on, nothing is found twice. */
for (const [name, fault, words] of [
    ['a server that has forgotten the device', json(409, { error: 'expected a device that is registered' })],
    ['a server that does not know the secret', json(401, { error: 'expected a secret' }), /does not know this API key|expected a secret/],
    ['a server that asks for patience', json(429, { error: 'too many reports' }, { 'Retry-After': '1' })],
    ['a redirect', plain(302, { Location: 'http://127.0.0.1:1/' }), /redirects: give the address that it redirects to/],
    ['a proxy whose server is away', plain(502, { 'Content-Type': 'text/html' }, '<h1>Bad gateway</h1>'), /status 502, from a proxy/],
    ['a page in place of an answer', plain(200, { 'Content-Type': 'text/html' }, '<h1>Welcome to the hotel</h1>'), /no answer of a Nearby server/],
    ['half an answer', plain(200, { 'Content-Type': 'application/json' }, '{"grants": [{"to'), /no answer of a Nearby server/],
    ['a line that is cut', (asked, answer) => answer.destroy(), /no connection/],
    ['silence', (asked) => asked.resume(), /no answer within 1 s/],
]) {
    test(name, { timeout: 120_000 }, async (t) => {
        const air = new Air();
        const start = (address) => NearbyClient.start({
            server: address, key: server.key, permission: 'granted', engine, medium: air.medium(),
            link: { leastWait: 50, mostWait: 500, answerTimeout: 1000 },
        });
        const [box, phone] = [await start(server.address), await start(between.address)];
        t.after(async () => {
            between.fault = undefined;
            await Promise.all([box.close(), phone.close()]);
            air.close();
        });
        const told = record(phone.subscribe());
        box.publish({ content: 'before' });
        await until(() => told.length === 1, 'found');
        between.fault = fault;
        between.hit = [];
        between.cut();
        await until(() => words ? words.test(phone.status.server ?? '') : between.hit.length >= 2, `${name}, and the page says it`, 40);
        assert.ok(between.hit.length < 30, `asked ${between.hit.length} times: ${between.hit.slice(0, 40)}`);
        between.fault = undefined;
        between.cut();
        await until(() => phone.status.server === undefined, 'it goes on', 60);
        box.publish({ content: 'after' });
        await until(() => told.includes('found after'), 'what is new', 60);
        assert.deepEqual(told, ['found before', 'found after']);
    });
}

test('who asks for patience is given it', { timeout: 60_000 }, async (t) => {
    const air = new Air();
    const phone = await NearbyClient.start({
        server: between.address, key: server.key, permission: 'granted', engine, medium: air.medium(),
    });
    t.after(async () => {
        between.fault = undefined;
        await phone.close();
        air.close();
    });
    const times = [];
    between.fault = (asked, answer) => {
        times.push(performance.now());
        json(429, { error: 'too many' }, { 'Retry-After': '3' })(asked, answer);
    };
    phone.subscribe();
    await until(() => times.length === 3, 'it tries again', 30);
    for (let index = 1; index < times.length; index++) assert.ok(times[index] - times[index - 1] >= 2950, times.join());
});
