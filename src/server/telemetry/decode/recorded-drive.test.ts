import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import { parseDbc } from './dbc/dbc-parse.ts';
import { parseMapping } from './mapping.ts';
import { decodeRecordedLog } from './recorded-log.ts';
import { hasSharedData, sharedData } from './test/shared-data.ts';
import { collect, splitInChunks } from './test/small-log.ts';

const START = Date.UTC(2023, 0, 12, 9, 0, 0);

/** A recorded drive of an electric car on two buses, with the DBC of can0; ../shared/data/kona. */
describe.skipIf(!hasSharedData)('the recorded drive in ../shared/data (INGEST-05)', () => {
  const log = () => sharedData('kona/230112-7-2019.candump.log');
  const dbc = () => sharedData('kona/pcan.dbc').toString();

  async function decode(bytes: Uint8Array, keepAll = false, format: 'candump' | 'csv' = 'candump') {
    const keep = keepAll ? parseDbc(dbc()).messages.map(({ name }) => ({ bus: 0, message: name })) : [];
    const { signals } = parseMapping({ SocDisp: 'Soc1', Speed_signed: 'MotorSpeed' });
    const definition = {
      buses: [{ bus: 0, bitrate: 500_000, name: 'pcan.dbc', dbc: dbc() }],
      mapping: { signals, keep },
    };
    const now = Date.UTC(2026, 0, 1);
    const chunks = () => splitInChunks(bytes, 65_536);
    const batches = await collect(decodeRecordedLog({ chunks, format, definition, startMs: START, now }));
    const readings = batches.flatMap((batch) => batch.readings);
    return { readings, stats: batches.at(-1)?.stats };
  }

  const latest = (readings: readonly Reading[]) =>
    Object.assign({}, ...readings.map(({ signals }) => signals));

  test('the recorded drive gives the mapped signals of can0, one reading per second, and no signals of can1', async () => {
    const { readings, stats } = await decode(log());
    expect(stats).toMatchObject({ frames: 39_546, badLines: 0, skippedValues: 0, refusedTimes: 0 });
    expect(stats?.unknownIds).toBe(15_283 + 1); // every frame of can1, and one frame of can0
    expect(latest(readings)).toEqual({ Soc1: 36.5, MotorSpeed: expect.any(Number) });
    for (const { signals } of readings)
      if (signals.MotorSpeed !== undefined) expect(Math.abs(signals.MotorSpeed)).toBeLessThanOrEqual(2);
    expect(readings[0]?.time).toBe(START);
    expect(new Set(readings.map(({ time }) => time)).size).toBe(readings.length);
    expect(readings.at(-1)?.time).toBeLessThanOrEqual(START + 10_840);
  });

  test('the recorded drive gives the same readings when its log is compressed', async () => {
    expect((await decode(gzipSync(log()))).readings).toEqual((await decode(log())).readings);
  });

  test('the recorded drive gives the same readings as the GVRET CSV from which its log was made, also with every message kept', async () => {
    const csv = sharedData('kona/230112-7-2019-pcan-ccan-power-off-on-ready-off.csv');
    for (const keepAll of [false, true])
      expect(await decode(csv, keepAll, 'csv')).toEqual(await decode(log(), keepAll));
  });

  test('the recorded drive gives the same mapped values with every message kept', async () => {
    const values = latest((await decode(log(), true)).readings);
    expect(values).toMatchObject({ Soc1: 36.5 });
    expect(Object.keys(values).length).toBeGreaterThan(300);
  });
});
