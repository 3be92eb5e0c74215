import { expect, test } from 'vitest';
import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import { formatOf, parseLogStartMs } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import { canBusOf } from '#shared/demo/can-buses.ts';
import { type DemoMachine, demoMachines } from '#shared/demo/fleet.ts';
import { J1939_DEMO_MACHINE } from '#shared/demo/kipstra-j1939.ts';
import { machineDefinition } from '#shared/demo/machine-definition.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { logFileKey, RECORDED_EVERY_MS, rxdLog } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';

const HOUR = 3_600_000;
const FROM = Date.parse('2026-11-19T10:50:00Z');
const HALF_HOUR = HOUR / 2;
const ofEachModel = [...new Map(demoMachines.toReversed().map((one) => [one.model, one])).values()];
const dumper = demoMachines.find(({ serialNumber }) => serialNumber === J1939_DEMO_MACHINE.serialNumber)!;
const loggers = demoLoggers();

const recording = (from: number, lasts: number) => ({ from, to: from + lasts, everyMs: RECORDED_EVERY_MS });

async function decoded(
  machine: DemoMachine,
  log: Uint8Array,
  startMs = FROM,
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
    startMs,
    definition: machineDefinition(machine),
    now: startMs + 24 * HOUR,
  } as const;
  for await (const batch of decodeRecordedLog(options)) {
    readings.push(...batch.readings);
    stats = batch.stats;
    report = batch.busReport;
  }
  return { readings, stats, report };
}

test.each([...ofEachModel.filter((one) => one !== dumper), dumper].map((one) => [one.alias, one] as const))(
  'the .rxd of %s decodes by its DBC to the signals that went in (INGEST-04, 43.8, 43.9)',
  async (_, machine) => {
    const { signalsAt } = loggers.get(machine.loggerSerial)!;
    const { readings, stats } = await decoded(
      machine,
      rxdLog(machine, signalsAt, recording(FROM, HALF_HOUR)),
    );
    expect(stats).toMatchObject({ badLines: 0, unknownIds: 0, refusedTimes: 0, skippedValues: 0 });
    expect(readings.map(({ time }) => time)).toEqual(
      Array.from({ length: HALF_HOUR / RECORDED_EVERY_MS }, (_, n) => FROM + n * RECORDED_EVERY_MS),
    );
    for (const { time, signals } of readings) {
      const meant = signalsAt(time);
      const own = Object.keys(signals).filter((name) => !OF_J1939.test(name));
      if (own.sort().join() !== Object.keys(meant).sort().join())
        expect(own.sort()).toEqual(Object.keys(meant).sort());
      for (const [name, value] of Object.entries(meant))
        if (Math.abs(signals[name]! - value) > stepOf(machine, name))
          expect.fail(`${name} is ${signals[name]}, not ${value}`);
    }
  },
);

test.each(ofEachModel.map((machine) => [machine.alias, machine] as const))(
  'the DBC of %s allows every value of two days (43.9)',
  (_, { model, loggerSerial }) => {
    const signals = canBusOf(model).messages.flatMap((message) => message.signals);
    const { signalsAt } = loggers.get(loggerSerial)!;
    for (let time = FROM; time < FROM + 48 * HOUR; time += 7 * 60_000) {
      const measured = signalsAt(time);
      for (const { to, number } of signals) {
        const value = measured[to];
        if (value !== undefined && (value < number.min || value > number.max))
          expect.fail(`${to} is ${value}`);
      }
    }
  },
);

test('the demo’s .rxd files show machines that work, charge and feed energy back (43.9)', () => {
  const moments = ofEachModel.flatMap(({ loggerSerial }) => {
    const { signalsAt } = loggers.get(loggerSerial)!;
    return Array.from({ length: 180 }, (_, n) => signalsAt(FROM + n * 10_000));
  });
  expect(moments.some(({ MotorSpeed = 0 }) => MotorSpeed > 150)).toBe(true);
  expect(moments.some(({ ChargingCurrent = 0 }) => ChargingCurrent > 0)).toBe(true);
  expect(moments.some((it) => it.BatteryCurrent! < 0 && it.ChargingCurrent === 0)).toBe(true);
});

test('the log of a demo machine lacks only the charge level of its silent pack (43.9)', async () => {
  const machine = demoMachines.find(({ serialNumber }) => serialNumber === 'VLT17-A101')!;
  const wednesday = Date.parse('2026-11-18T09:30:00Z');
  const { signalsAt } = loggers.get(machine.loggerSerial)!;
  const log = rxdLog(machine, signalsAt, recording(wednesday, 60_000));
  const { readings } = await decoded(machine, log, wednesday);
  expect(readings).toHaveLength(30);
  for (const { signals } of readings) {
    expect(signals).toHaveProperty('SOC_1');
    expect(signals).not.toHaveProperty('SOC_2');
    expect(signals).toHaveProperty('IsCharging_2');
  }
});

/** Matches the signals that only the dumper with J1939 has. */
const OF_J1939 = /^(Aandrijftemperatuur|Pack(Temp|Volt)(@F[34])?)$/;
/** Returns half the resolution of a signal; the charge level on J1939 has steps of 0.4 %. */
const stepOf = (machine: DemoMachine, name: string): number =>
  machine === dumper && name.startsWith('SOC') ? 0.200001 : name === 'Speed' ? FLOAT_STEP : 1e-6;
/** Tolerance of the GPS receiver's speed, which the log stores as a 32-bit float. */
const FLOAT_STEP = 1e-5;

test('the demo has a J1939 machine whose packs have different source addresses, and whose temperature signal is missing while its ECU sleeps (42.70)', async () => {
  const { signalsAt } = loggers.get(dumper.loggerSerial)!;
  const begin = Date.parse('2026-11-19T05:30:00Z');
  const log = rxdLog(dumper, signalsAt, recording(begin, HOUR));
  const { readings, report } = await decoded(dumper, log, begin);
  const sources = (report as BusReport).senders.map(({ source, frames }) => [source, frames]);
  expect(sources).toEqual(
    expect.arrayContaining([
      [0xf3, 1_800],
      [0xf4, 1_800],
      [0x00, 1_800],
    ]),
  );
  const asleep = readings.filter(({ signals }) => signals.Aandrijftemperatuur === undefined);
  expect((report as BusReport).absent).toEqual([
    { name: 'Aandrijftemperatuur', notAvailable: asleep.length, errors: 0 },
  ]);
  expect(asleep.length).toBeGreaterThan(250);
  expect(readings.length - asleep.length).toBeGreaterThan(250);
  expect(readings[1]!.signals).toHaveProperty('PackTemp@F3');
});

test('logFileKey returns the folder and name that a logger uses (INGEST-01)', () => {
  const key = logFileKey('0090412', FROM);
  expect(key).toBe('WS_SN0090412/20261119/WS_0090412_20261119_105000.rxd');
  expect(formatOf(key)).toBe('rxd');
  expect(parseLogStartMs(key)).toBe(FROM);
});
