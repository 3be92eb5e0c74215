import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { KeptMessage, SignalMapping } from '#shared/contract/definition.ts';
import type { EarlierSources } from './bus-report.ts';

const T0 = Date.UTC(2026, 5, 1, 10) / 1000;
/** A message that two packs send, one of 10 bytes, and a 29-bit message that is not J1939. */
const DBC = `BO_ 2566873598 Pack: 8 X
 SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X
 SG_ Voltage : 8|16@1+ (0.1,0) [0|6425.5] "V" X
 SG_ State : 24|2@1+ (1,0) [0|3] "" X
VAL_ 2566873598 State 3 "Not available" ;
BO_ 2566850046 Long: 10 X
 SG_ Tail : 64|16@1+ (1,0) [0|0] "" X
BO_ 2147483664 Own: 8 X
 SG_ Raw : 0|8@1+ (1,0) [0|255] "" X
`;
const MESSAGE = 2566873598;
const ALL_BUT_OWN = ['0x18FF61FE', '0x18FF05FE'];

type Options = {
  readonly signals?: SignalMapping[];
  readonly keep?: KeptMessage[];
  readonly memory?: EarlierSources;
};
async function decode(lines: readonly string[], { signals = [], keep = [], memory }: Options) {
  const readings: Record<string, number>[] = [];
  let last: unknown;
  const bus = { bus: 0, bitrate: 250_000, name: 'j.dbc', dbc: DBC };
  for await (const batch of decodeRecordedLog({
    chunks: () => Readable.from([Buffer.from(lines.join(''))]),
    format: 'candump',
    definition: {
      buses: [{ ...bus, j1939: 'some', j1939Messages: ALL_BUT_OWN }],
      mapping: { signals, keep },
    },
    shift: 'if-before-2015',
    now: (T0 + 86_400) * 1000,
    ...(memory && { memory }),
  })) {
    readings.push(...batch.readings.map(({ time, signals }) => ({ at: time / 1000 - T0, ...signals })));
    last = batch.busReport;
  }
  return { readings, report: last };
}

const line = (seconds: number, id: string, data: string): string =>
  `(${(T0 + seconds).toFixed(6)}) can0 ${id}#${data}\n`;
/** Returns a frame with the charge in percent, from a source address. */
const charge = (seconds: number, source: string, percent: number): string =>
  line(seconds, `18FF61${source}`, `${(percent / 0.4).toString(16).padStart(2, '0')}FFFFFF`);

describe('two packs that send the same message (42.3)', () => {
  const BOTH = [charge(0, 'F3', 40), charge(0.1, 'F4', 80), charge(1, 'F4', 80), charge(1.1, 'F3', 40)];

  test('two packs that send the same message are distinguished by a mapping with a source', async () => {
    const signals = [
      { signal: 'Charge', to: 'Soc1', source: 0xf3 },
      { signal: 'Charge', to: 'Soc2', source: 0xf4 },
    ];
    const { readings } = await decode(BOTH, { signals });
    expect(readings).toEqual([
      { at: 0, Soc1: 40, Soc2: 80 },
      { at: 1, Soc1: 40, Soc2: 80 },
    ]);
  });

  test('a mapping without a source uses only the values of the first pack that sends a value', async () => {
    const { readings, report } = await decode(BOTH, { signals: [{ signal: 'Charge', to: 'Soc1' }] });
    expect(readings).toEqual([
      { at: 0, Soc1: 40 },
      { at: 1, Soc1: 40 },
    ]);
    expect(report).toMatchObject({
      senders: [
        { bus: 0, message: MESSAGE, source: 0xf3, frames: 2 },
        { bus: 0, message: MESSAGE, source: 0xf4, frames: 2 },
      ],
      held: [{ name: 'Soc1', source: 0xf3, at: (T0 + 1.1) * 1000 }],
    });
  });

  test('another pack is selected after 5 minutes without a valid value from the selected pack', async () => {
    const none = (seconds: number) => line(seconds, '18FF61F3', 'FFFFFFFF');
    const lines = [
      charge(0, 'F3', 40),
      none(200),
      charge(300, 'F4', 80),
      charge(301, 'F4', 80),
      charge(302, 'F3', 40),
    ];
    const { readings } = await decode(lines, { signals: [{ signal: 'Charge', to: 'Soc1' }] });
    expect(readings).toEqual([
      { at: 0, Soc1: 40 },
      { at: 301, Soc1: 80 },
    ]);
  });

  test('a pack is not selected by an invalid value (42.61)', async () => {
    // The raw values give 128 % and 80 %, of which the first is invalid for a charge level.
    const lines = [line(0, '18FF61F3', 'FA0005'), line(0.1, '18FF61F4', 'FA2003')];
    const { readings, report } = await decode(lines, { signals: [{ signal: 'Voltage', to: 'Soc1' }] });
    expect(readings).toEqual([{ at: 0, Soc1: 80 }]);
    expect(report).toMatchObject({ held: [{ name: 'Soc1', source: 0xf4 }] });
  });

  test('the selected source of the previous file is kept', async () => {
    const held = [{ name: 'Soc1', source: 0xf4, at: (T0 - 60) * 1000 }];
    const signals = [{ signal: 'Charge', to: 'Soc1' }];
    const memory = { senders: [], held };
    expect((await decode(BOTH, { signals, memory })).readings[0]).toEqual({ at: 0, Soc1: 80 });
    const long = { senders: [], held: [{ ...held[0]!, at: (T0 - 301) * 1000 }] };
    expect((await decode(BOTH, { signals, memory: long })).readings[0]).toEqual({ at: 0, Soc1: 40 });
  });

  test('a message of two packs may be mapped with and without a source at the same time', async () => {
    const signals = [
      { signal: 'Charge', to: 'Soc1' },
      { signal: 'Charge', to: 'Soc2', source: 0xf3 },
    ];
    expect((await decode(BOTH, { signals })).readings).toEqual([
      { at: 0, Soc1: 80, Soc2: 40 },
      { at: 1, Soc1: 80, Soc2: 40 },
    ]);
  });

  test('kept signals get names with their source as soon as two packs send them', async () => {
    const keep = [{ bus: 0, message: 'Pack' }];
    const one = await decode([charge(0, 'F3', 40)], { keep });
    expect(one.readings).toEqual([{ at: 0, Charge: 40 }]);
    const two = await decode(BOTH, { keep });
    expect(two.readings[1]).toEqual({ at: 1, 'Charge@F3': 40, 'Charge@F4': 80 });
    const memory = { senders: [{ bus: 0, message: MESSAGE, source: 0xf4 }], held: [] };
    const known = await decode([charge(0, 'F3', 40)], { keep, memory });
    expect(known.readings).toEqual([{ at: 0, 'Charge@F3': 40 }]);
  });

  test('a kept signal gets the values of the sources that have no mapping', async () => {
    const signals = [{ signal: 'Charge', to: 'Soc1', source: 0xf3 }];
    const { readings } = await decode(BOTH, { signals, keep: [{ bus: 0, message: 'Pack' }] });
    expect(readings[1]).toEqual({ at: 1, Soc1: 40, 'Charge@F4': 80 });
  });

  test('a message may have 253 sources, all of which are reported, but kept signals are stored for only 16 of them', async () => {
    const lines = Array.from({ length: 253 }, (_, source) =>
      charge(source / 1000, source.toString(16).padStart(2, '0').toUpperCase(), 40),
    );
    const { readings, report } = await decode([...lines, ...lines], { keep: [{ bus: 0, message: 'Pack' }] });
    const names = new Set(readings.flatMap(({ at: _, ...signals }) => Object.keys(signals)));
    expect([...names].filter((name) => name.includes('@'))).toHaveLength(16);
    expect((report as { senders: unknown[] }).senders).toHaveLength(253);
  });
});

test('absent values are counted per signal, and errors separately (42.4)', async () => {
  const lines = [
    line(0, '18FF61F3', '64FFFF03'),
    line(1, '18FF61F3', 'FE00FE02'),
    line(2, '18FF61F3', 'FBA00F03'),
  ];
  const signals = [
    { signal: 'Charge', to: 'Soc1' },
    { signal: 'Voltage', to: 'BatteryVoltage' },
    { signal: 'State', to: 'Mode' },
  ];
  const { readings, report } = await decode(lines, { signals });
  expect(readings).toEqual([
    { at: 0, Soc1: 40 },
    { at: 2, BatteryVoltage: 400 },
  ]);
  expect(report).toMatchObject({
    absent: [
      { name: 'Soc1', notAvailable: 1, errors: 1 },
      { name: 'BatteryVoltage', notAvailable: 1, errors: 1 },
      { name: 'Mode', notAvailable: 2, errors: 1 },
    ],
  });
});

test('a multi-frame message is decoded according to its DBC (42.5)', async () => {
  const lines = [
    line(0, '1CECFFF3', '200A0002FF05FF00'),
    line(0.1, '1CEBFFF3', '0100000000000000'),
    line(0.2, '1CEBFFF3', '0200D204FFFFFFFF'),
    line(1, '1CECFFF3', '200A0002FF05FF00'),
    line(1.1, '1CEBFFF3', '0200D204FFFFFFFF'),
  ];
  const { readings, report } = await decode(lines, { signals: [{ signal: 'Tail', to: 'Tail' }] });
  expect(readings).toEqual([{ at: 0, Tail: 1234 }]);
  expect(report).toMatchObject({ dropped: 1 });
});

test('a 29-bit message that was not chosen is matched by its whole identifier, next to J1939 messages (42.1)', async () => {
  const lines = [line(0, '80000010', ''), line(0, '00000010', 'FF'), line(1, '0C000010', '07')];
  const { readings } = await decode(lines, { signals: [{ signal: 'Raw', to: 'Raw' }] });
  expect(readings).toEqual([{ at: 0, Raw: 255 }]);
});
