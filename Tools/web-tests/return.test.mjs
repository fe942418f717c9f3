// When the library opens a broken stream again, in node: node --test Tools/web-tests/return.test.mjs
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { EventFollower } from '../../Sources/Web/library/event-follower.js';
import { ServerLink } from '../../Sources/Web/library/server-link.js';
import { StreamReturn } from '../../Sources/Web/library/stream-return.js';

const draws = (value) => Array.from({ length: 2000 }, () => value.draw());
const found = { change: 'found', subscription: 1, publication: 'a' };

test('a page without finds draws from all of the time, one with finds from two seconds', () => {
    const value = new StreamReturn();
    assert.deepEqual(new Set(draws(value)), new Set([0]));
    for (const wrong of [undefined, null, 'x', 0, -1, Number.NaN]) value.advise(wrong);
    assert.equal(value.window, 0);
    value.advise(100);
    const all = draws(value);
    assert.ok(Math.min(...all) >= 250 && Math.max(...all) <= 100_000 && Math.max(...all) > 99_000 && Math.min(...all) < 1000);
    value.note([found, { ...found, publication: 'b' }, { ...found, change: 'lost' }]);
    assert.ok(draws(value).every((wait) => wait >= 250 && wait <= 2000));
    value.note([{ ...found, publication: 'b', change: 'lost' }]);
    assert.ok(draws(value).some((wait) => wait > 10_000));
    value.note([{ ...found, subscription: 7 }]);
    value.forget([7]);
    assert.equal(value.window, 100_000);
    value.advise(1e12);
    assert.equal(value.window, 3_600_000);
});

/** Serves streams, each by the next of `answers`, and notes when they were opened. */
async function follow(answers, count, streamReturn) {
    const times = [];
    const server = createServer((asked, answer) => {
        times.push(Date.now());
        (answers[times.length - 1] ?? answers.at(-1))(answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const follower = new EventFollower(
        `http://127.0.0.1:${server.address().port}/`, 'secret', () => {}, () => {},
        { answerTimeout: 5000, leastWait: 10, mostWait: 20, silence: 5000, bodyLimit: 1000 }, streamReturn);
    const run = follower.run();
    while (times.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    follower.stop();
    server.closeAllConnections();
    server.close();
    await run;
    return times.slice(1).map((time, n) => time - times[n]);
}

const broken = (answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    answer.write(':\n\n');
    setTimeout(() => answer.end(), 5);
};
const refused = (headers) => (answer) => answer.writeHead(503, headers).end();

test('a stream that broke is opened again when the server said, one that was never open by the usual pauses', async () => {
    const streamReturn = new StreamReturn();
    streamReturn.advise(2);
    const [broke, refusal, advised] = await follow([broken, refused({}), refused({ 'Retry-After': '1' }), broken], 4, streamReturn);
    assert.ok(broke >= 250 && broke < 2500, `${broke} ms`);
    assert.ok(refusal < 2100, `${refusal} ms`);
    assert.ok(advised >= 990, `${advised} ms`);
    const [old] = await follow([broken], 2, new StreamReturn());
    assert.ok(old < 250, `${old} ms`);
});

test('an answer that counts on a stream that broke does not silence the page', async () => {
    const keepAlive = JSON.stringify({ keepAliveMillis: 43_200_000 });
    const streams = [];
    const server = createServer((asked, answer) => {
        asked.resume();
        if (asked.url === '/v1/events') {
            streams.push(answer.writeHead(200, { 'Content-Type': 'text/event-stream' }));
            answer.write(':\n\n');
        } else if (asked.url === '/v1/devices') {
            answer.writeHead(201, { 'Content-Type': 'application/json' }).end('{"device":"secret"}');
        } else {
            answer.writeHead(200, { 'Content-Type': 'application/json' }).end(keepAlive);
        }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const told = [];
    const until = async (isSo) => { while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5)); };
    const link = new ServerLink(`http://127.0.0.1:${server.address().port}`, 'key', (news) => told.push(news.keepAlive));
    const report = () => link.report({ isComplete: true, published: [], subscribed: [], ended: [], observations: [], playing: [], number: 1 });
    const [byStream, without] = [43_200e6, 5e6];
    assert.equal((await report()).keepAlive, without);
    await until(() => streams.length === 1);
    streams[0].write(`data: ${keepAlive}\n\n`);
    await until(() => told.length === 1);
    assert.equal((await report()).keepAlive, byStream);
    streams[0].destroy();
    await until(() => told.length === 2);
    assert.deepEqual(told, [byStream, without]);
    assert.equal((await report()).keepAlive, without);
    link.close();
    server.closeAllConnections();
    server.close();
});
