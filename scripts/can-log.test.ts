import { expect, test } from 'vitest';
import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import { formatOf, startFromFileName } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { CAN_BRAND } from '#shared/demo/kipstra-can.ts';
import { J1939_DUMPER, kipstraDefinition } from '#shared/demo/kipstra-j1939.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { logFileKey, rxdLog } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';

const HOUR = 3_600_000;
const FROM = Date.parse('2026-11-19T06:00:00Z');
const dumpers = demoMachines.filter(({ model }) => model.brand === CAN_BRAND);
const loggers = demoLoggers();

async function decoded(
  serial: string,
  log: Uint8Array,
): Promise<{ readings: Reading[]; stats: object; report: unknown }> {
  let report: unknown;
  const readings: Reading[] = [];
  let stats = {};
  async function* chunks() {
    yield log;
  }
  const options = {
    chunks,
    format: 'rxd',
    startMs: FROM,
    definition: kipstraDefinition(serial),
    now: FROM + 24 * HOUR,
  } as const;
  for await (const batch of decodeRecordedLog(options)) {
    readings.push(...batch.readings);
    stats = batch.stats;
    report = batch.busReport;
  }
  return { readings, stats, report };
}

test('the make with CAN logs has dumpers of one and of two batteries', () => {
  expect(new Set(dumpers.map(({ model }) => model.capacitiesKwh.length))).toEqual(new Set([1, 2]));
});

test.each(dumpers.map((dumper) => [dumper.alias, dumper] as const))(
  'INGEST-04 43.8 the .rxd of %s decodes to the signals that went in',
  async (_, { serialNumber, loggerSerial }) => {
    const { signalsAt } = loggers.get(loggerSerial)!;
    const { readings, stats } = await decoded(
      serialNumber,
      rxdLog(loggerSerial, signalsAt, FROM, FROM + 12 * HOUR),
    );
    expect(stats).toMatchObject({ badLines: 0, unknownIds: 0, refusedTimes: 0, skippedValues: 0 });
    expect(readings.map(({ time }) => time)).toEqual(
      Array.from({ length: 8_640 }, (_, n) => FROM + n * 5_000),
    );
    const seen = { charging: false, discharging: false, running: false };
    for (const { time, signals } of readings) {
      const meant = signalsAt(time);
      const own = Object.keys(signals).filter((name) => !OF_J1939.test(name));
      if (own.sort().join() !== Object.keys(meant).sort().join())
        expect(own.sort()).toEqual(Object.keys(meant).sort());
      for (const [name, value] of Object.entries(meant))
        if (Math.abs(signals[name]! - value) > stepOf(serialNumber, name))
          expect.fail(`${name} is ${signals[name]}, not ${value}`);
      if (meant.IsCharging1 === 1 && meant.BatteryCurrent! < 0) seen.charging = true;
      if (meant.BatteryCurrent! > 0) seen.discharging = true;
      if (meant.MotorSpeed! > 150) seen.running = true;
    }
    expect(seen).toEqual({ charging: true, discharging: true, running: true });
  },
);

/** Signals that only the dumper with J1939 has. */
const OF_J1939 = /^(Aandrijftemperatuur|Pack(Temp|Volt)(@F[34])?)$/;
/** Half a step of the charge on J1939, 0.4 %. */
const stepOf = (serial: string, name: string): number =>
  serial === J1939_DUMPER.serialNumber && name.startsWith('SOC') ? 0.200001 : 1e-6;

test('42.70 the demo has a J1939 machine: two packs by their addresses, and an ECU that sleeps', async () => {
  const { serialNumber, loggerSerial } = J1939_DUMPER;
  const { signalsAt } = loggers.get(loggerSerial)!;
  const log = rxdLog(loggerSerial, signalsAt, FROM, FROM + 12 * HOUR);
  const { readings, report } = await decoded(serialNumber, log);
  const sources = (report as BusReport).senders.map(({ source, frames }) => [source, frames]);
  expect(sources).toEqual(
    expect.arrayContaining([
      [0xf3, 8_640],
      [0xf4, 8_640],
      [0x00, 8_640],
    ]),
  );
  const asleep = readings.filter(({ signals }) => signals.Aandrijftemperatuur === undefined);
  expect((report as BusReport).absent).toEqual([
    { name: 'Aandrijftemperatuur', notAvailable: asleep.length, errors: 0 },
  ]);
  expect(asleep.length).toBeGreaterThan(1_000);
  expect(readings.length - asleep.length).toBeGreaterThan(1_000);
  expect(readings[1]!.signals).toHaveProperty('PackTemp@F3');
});

test('INGEST-01 a log file is named and placed as a logger does it', () => {
  const key = logFileKey('0090412', FROM);
  expect(key).toBe('WS_SN0090412/20261119/WS_0090412_20261119_060000.rxd');
  expect(formatOf(key)).toBe('rxd');
  expect(startFromFileName(key)).toBe(FROM);
});
