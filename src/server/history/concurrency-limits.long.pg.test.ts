import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { storeTestReadings } from './test/readings.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test('an account that sends a hundred concurrent requests gets 53 answers and 47 refusals, and other accounts are not affected (API-03, LOG-03)', async () => {
  const rail = await portal.organization('spoor', { isLmbCustomer: true });
  const klant = await portal.organization('klant');
  await portal.user('a@spoor.nl', rail);
  await portal.user('b@klant.nl', klant);
  await createStream(portal.pool, 'logger', { serial: 'L-1', alias: 'L', organizationId: rail });
  await portal.machine(klant, { serial: 'M-1' });
  const cookie = await portal.login('a@spoor.nl');
  const other = await portal.login('b@klant.nl');

  // The locked table makes each request wait, as if it took seconds.
  const slow = await portal.pool.connect();
  await slow.query('begin');
  await slow.query('lock table reading in access exclusive mode');
  let answered = 0;
  const flood = Array.from({ length: 100 }, async () => {
    const answer = await portal.get('/api/berend/get/data?start=-30d&end=-1m&loggerid=L-1', cookie);
    answered += 1;
    return answer;
  });
  await expect.poll(() => answered, { timeout: 10_000 }).toBe(47);
  const theirs = portal.get('/api/influx/driverhours/M-1', other);
  await slow.query('rollback');
  slow.release();
  expect((await theirs).json()).toEqual({ hours: 0 });
  const answers = await Promise.all(flood);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(53);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect([refused?.json(), refused?.headers['retry-after']]).toEqual([
    { code: 'too_many_requests', message: 'Te veel vragen tegelijk. Probeer het zo weer.' },
    '5',
  ]);
});

test('an account gets two full paths at a time, and clients that do not read their answers delay only themselves (API-03, MDET-12)', async () => {
  const organization = await portal.organization('traag');
  await portal.user('c@traag.nl', organization);
  await portal.user('d@traag.nl', organization);
  const streamId = await portal.machine(organization, { serial: 'M-2' });
  // An answer with these readings is larger than the buffers between two sockets on one machine.
  const start = Date.now() - 86_400_000;
  const readings = Array.from({ length: 86_000 }, (_, n) => ({
    time: start + n * 1_000,
    signals: { LATITUDE: 52 + n / 1e6, LONGITUDE: 5.123456, Speed: 12.3456, Soc1: 55.5 },
  }));
  await storeTestReadings(portal.pool, streamId, readings, 10_000);
  const cookies = [await portal.login('c@traag.nl'), await portal.login('d@traag.nl')] as const;
  const address = `${portal.address}/api/influx/gps/M-2?start=-2d&resolution=full`;
  const begun: string[] = [];
  const open = (cookie: string, name: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { headers: { cookie }, agent: false }, (answer) => {
        begun.push(name);
        resolve(answer.pause());
      }).on('error', reject);
    });
  const [first] = await Promise.all([open(cookies[0], 'c1'), open(cookies[0], 'c2')]);
  const third = open(cookies[0], 'c3');
  const other = await open(cookies[1], 'd1');
  await new Promise((later) => setTimeout(later, 500));
  expect(begun.sort()).toEqual(['c1', 'c2', 'd1']);
  first.destroy();
  const last = await third;
  let text = '';
  for await (const slice of last) text += slice;
  expect(JSON.parse(text)).toHaveLength(86_000);
  other.destroy();
});
