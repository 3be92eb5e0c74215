import { expect, test } from 'vitest';
import { formatOf, startFromFileName } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { CAN_BRAND, KIPSTRA_DEFINITION } from '#shared/demo/kipstra-can.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { candumpLog, logFileKey } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';

const HOUR = 3_600_000;
const FROM = Date.parse('2026-11-19T06:00:00Z');
const dumpers = demoMachines.filter(({ model }) => model.brand === CAN_BRAND);
const loggers = demoLoggers();

async function decoded(log: string): Promise<{ readings: Reading[]; stats: object }> {
  const readings: Reading[] = [];
  let stats = {};
  const chunks = (async function* () {
    yield Buffer.from(log);
  })();
  const options = {
    chunks,
    format: 'candump',
    definition: KIPSTRA_DEFINITION,
    now: FROM + 24 * HOUR,
  } as const;
  for await (const batch of decodeRecordedLog(options)) {
    readings.push(...batch.readings);
    stats = batch.stats;
  }
  return { readings, stats };
}

test('the make with CAN logs has dumpers of one and of two batteries', () => {
  expect(new Set(dumpers.map(({ model }) => model.capacitiesKwh.length))).toEqual(new Set([1, 2]));
});

test.each(dumpers.map((dumper) => [dumper.alias, dumper] as const))(
  'INGEST-04 the CAN log of %s decodes to the signals that went in',
  async (_, { loggerSerial }) => {
    const { signalsAt } = loggers.get(loggerSerial)!;
    const { readings, stats } = await decoded(candumpLog(signalsAt, FROM, FROM + 12 * HOUR));
    expect(stats).toMatchObject({ badLines: 0, unknownIds: 0, refusedTimes: 0, skippedValues: 0 });
    expect(readings.map(({ time }) => time)).toEqual(
      Array.from({ length: 8_640 }, (_, n) => FROM + n * 5_000),
    );
    const seen = { charging: false, discharging: false, running: false };
    for (const { time, signals } of readings) {
      const meant = signalsAt(time);
      if (Object.keys(signals).sort().join() !== Object.keys(meant).sort().join())
        expect(Object.keys(signals).sort()).toEqual(Object.keys(meant).sort());
      for (const [name, value] of Object.entries(meant))
        if (Math.abs(signals[name]! - value) > 1e-6) expect.fail(`${name} is ${signals[name]}, not ${value}`);
      if (meant.IsCharging1 === 1 && meant.BatteryCurrent! < 0) seen.charging = true;
      if (meant.BatteryCurrent! > 0) seen.discharging = true;
      if (meant.MotorSpeed! > 150) seen.running = true;
    }
    expect(seen).toEqual({ charging: true, discharging: true, running: true });
  },
);

test('INGEST-01 a log file is named and placed as a logger does it', () => {
  const key = logFileKey('0090412', FROM);
  expect(key).toBe('WS_SN0090412/20261119/WS_0090412_20261119_060000.log.gz');
  expect(formatOf(key)).toBe('candump');
  expect(startFromFileName(key)).toBe(FROM);
});
