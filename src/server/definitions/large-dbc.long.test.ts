import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const MIB = 1024 * 1024;

/** Returns a DBC of about this many bytes, with messages of eight signals that are named as a battery's are. */
function dbcOf(bytes: number): string {
  const message = (n: number) =>
    `BO_ ${0x8000_0000 + n} Bericht_${n}: 8 X\n${[0, 1, 2, 3, 4, 5, 6, 7]
      .map((place) => ` SG_ BatteryPackVoltage_${n}_${place} : ${8 * place}|8@1+ (0.5,0) [0|100] "V" X\n`)
      .join('')}`;
  return Array.from({ length: Math.floor(bytes / message(1_000).length) }, (_, n) => message(n)).join('');
}

/** Returns the processor time of this thread so far, in ms; the load of other processes does not count. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest time that this thread, which answers all calls, runs without a pause until the work ends; ms of processor time. */
async function longestTask(work: Promise<unknown>): Promise<number> {
  let ended = false;
  const done = work.finally(() => {
    ended = true;
  });
  let longest = 0;
  while (!ended) {
    const before = processorMs();
    await wait(2);
    longest = Math.max(longest, processorMs() - before);
  }
  await done;
  return longest;
}

/** Returns the time that reading a file takes on this machine, in ms of processor time. */
function readingMs(text: string): number {
  const once = () => {
    const before = processorMs();
    parseDbc(text);
    return processorMs() - before;
  };
  return Math.min(once(), once(), once());
}

test('uploading, showing, configuring and decoding a large DBC block no other call (12.B5)', async () => {
  await a.machine('D-1');
  await a.upload('D-1', dbcOf(1_000));
  await a.call('POST /api/machine/writer/key', { body: { serial: 'D-1' } });
  const logger = await a.loggerOf('D-1');
  const large = dbcOf(2 * MIB);
  const speed = readingMs(large);
  const upload = a.upload('D-1', large);
  // Each limit, a multiple of `speed`, is about 3 times the value measured now. The number in the comment behind it is the value that was
  // measured when this thread itself still read the file.
  expect(await longestTask(upload)).toBeLessThan(speed); // 1.6
  expect((await upload).status).toBe(200);
  const shown = a.call('GET /api/machine/dbc/D-1');
  expect(await longestTask(shown)).toBeLessThan(1.4 * speed); // 3.1
  expect((await shown).json).toEqual((await upload).json);
  expect(await longestTask(a.call('GET /api/machine/writer/health/D-1'))).toBeLessThan(0.65 * speed); // 1.1
  const log = a.fleet.put(logger, 'drive.log', '(1780000000.0) can0 00000001#00\n');
  expect(await longestTask(log)).toBeLessThan(0.65 * speed); // 1.1
});

test('a DBC of 4 MB is accepted, and a larger one is rejected with a message (12.B5)', async () => {
  await a.machine('D-4');
  const file = dbcOf(4 * MIB).padEnd(4 * MIB, '\n');
  expect(Buffer.byteLength(file)).toBe(4 * MIB);
  expect((await a.upload('D-4', file)).status).toBe(200);
  const larger = await a.upload('D-4', `${file}\n`);
  expect([larger.status, larger.message]).toEqual([413, 'Een DBC-bestand mag hoogstens 4 MB zijn.']);
});
