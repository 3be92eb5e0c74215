import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';

const T0 = Date.UTC(2026, 5, 1, 10) / 1000;
/**
 * EEC1 from any source, the current of a pack from address F4 and from any source, and a 29-bit message that is not
 * J1939.
 */
const DBC = `BO_ 2364540158 EEC1: 8 X
 SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X
BO_ 2566873588 Pack: 8 X
 SG_ PackSoc : 0|8@1+ (0.4,0) [0|100] "%" X
BO_ 2566873598 OtherPack: 8 X
 SG_ OtherSoc : 0|8@1+ (0.4,0) [0|100] "%" X
BO_ 2565800190 Own: 8 X
 SG_ Voltage : 0|16@1+ (0.1,0) [0|6425.5] "V" X
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
`;
const definition = (j1939: J1939Scope): Definition => ({
  buses: [{ bus: 0, bitrate: 250_000, name: 'j.dbc', dbc: DBC, j1939 }],
  mapping: {
    signals: [
      { signal: 'Rpm', to: 'MotorSpeed' },
      { signal: 'PackSoc', to: 'Soc1' },
      { signal: 'OtherSoc', to: 'Soc2' },
      { signal: 'Voltage', to: 'BatteryVoltage' },
    ],
    keep: [],
  },
});
const line = (second: number, id: string, data: string): string =>
  `(${T0 + second}.000000) can0 ${id}#${data}\n`;

async function decode(text: string, j1939: J1939Scope = 'dbc') {
  const readings: Record<string, number>[] = [];
  let unknown = 0;
  for await (const batch of decodeRecordedLog({
    chunks: () => Readable.from([Buffer.from(text)]),
    format: 'candump',
    definition: definition(j1939),
    shift: 'if-before-2015',
    now: (T0 + 86_400) * 1000,
  })) {
    readings.push(...batch.readings.map(({ signals }) => ({ ...signals })));
    unknown = batch.stats.unknownIds;
  }
  return { readings, unknown };
}

describe('a frame is matched to a message by its group (42.2)', () => {
  const RUNNING = '000000402C000000'; // 0x2C40 x 0.125 = 1416 rpm

  test('a frame of any priority matches its J1939 message, from any source when the DBC allows it', async () => {
    const log = line(0, '0CF00400', RUNNING) + line(1, '18F00400', RUNNING) + line(2, '0CF004FE', RUNNING);
    const { readings, unknown } = await decode(log);
    expect(readings).toEqual([{ MotorSpeed: 1416 }, { MotorSpeed: 1416 }]);
    // Address 254 belongs to no sender.
    expect(unknown).toBe(1);
  });

  test('a message with a named source is preferred to one for any source', async () => {
    const log = line(0, '18FF61F4', '64FFFFFFFFFFFFFF') + line(1, '18FF61F5', '32FFFFFFFFFFFFFF');
    expect((await decode(log)).readings).toEqual([{ Soc1: 40 }, { Soc2: 20 }]);
  });

  test('a frame matches its J1939 message whatever its destination, in a group with destinations (PDU1)', async () => {
    const log = line(0, '18EF2103', 'A00F') + line(1, '0CEFFF03', 'A00F');
    expect((await decode(log)).readings).toEqual([{ BatteryVoltage: 400 }, { BatteryVoltage: 400 }]);
  });

  test('a frame is matched by its whole identifier if the definition chooses no J1939 messages', async () => {
    const log = line(0, '0CF00400', RUNNING) + line(1, '0CF004FE', RUNNING);
    const { readings, unknown } = await decode(log, 'none');
    expect([readings, unknown]).toEqual([[{ MotorSpeed: 1416 }], 1]);
  });
});

describe('a J1939 value (42.4)', () => {
  test.each([
    ['not available', 'FFFF', []],
    ['an error', '00FE', []],
    ['the first reserved one', '00FB', []],
    ['the last one that counts', 'FFFA', [{ MotorSpeed: 8031.875 }]],
  ])('a J1939 value is stored only if it is a measurement: %s', async (_, bytes, expected) => {
    expect((await decode(line(0, '0CF00400', `000000${bytes}000000`))).readings).toEqual(expected);
  });

  test('a value that J1939 reserves is an ordinary number on a bus without J1939', async () => {
    const { readings } = await decode(line(0, '0CF004FE', '000000FFFF000000'), 'none');
    expect(readings).toEqual([{ MotorSpeed: 8191.875 }]);
  });
});
