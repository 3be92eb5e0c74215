import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';
import { decodeDm1 } from './dm1.ts';
import { Dm1Log, type Dm1Observation } from './dm1-log.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const decode = (hex: string) => decodeDm1(bytes(hex), bytes(hex).length);

describe('the codes of a DM1 (42.40)', () => {
  test.each([
    ['SPN 100, FMI 1, once', '04FF 64000101 FFFF', { spn: 100, fmi: 1, isOldLayout: false, occurrences: 1 }],
    ['an SPN of 19 bits', '04FF 34F2FF05 FFFF', { spn: 520756, fmi: 31, isOldLayout: false, occurrences: 5 }],
    ['no count', '04FF 6E00007F FFFF', { spn: 110, fmi: 0, isOldLayout: false, occurrences: undefined }],
    ['an older layout', '04FF 64000181 FFFF', { spn: 100, fmi: 1, isOldLayout: true, occurrences: 1 }],
  ])('the codes of a DM1 are decoded: %s', (_, hex, code) => {
    expect(decode(hex)?.codes).toEqual([code]);
  });

  test.each([
    ['zeros', '00FF 00000000 FFFF'],
    ['zeros with a count', '00FF 00000001 FFFF'],
    ['all ones', 'FFFF FFFFFFFF FFFF'],
    ['all ones with conversion method 0', '00FF FFFFFF7F FFFF'],
  ])('a DM1 has no codes for %s', (_, hex) => {
    expect(decode(hex)).toEqual({ lamps: [], codes: [] });
  });

  test('a DM1 that is too short for a code is not decoded', () => {
    expect(decode('04FF640001')).toBeUndefined();
  });

  test('the codes of a DM1 are read from a message of 200 codes with padding after them', () => {
    const codes = Array.from({ length: 200 }, (_, n) => `${(n + 1).toString(16).padStart(2, '0')}000402`);
    const decoded = decode(`10FF ${codes.join('')} FFFFFF`)?.codes ?? [];
    expect(decoded).toHaveLength(200);
    expect(decoded.at(-1)).toEqual({ spn: 200, fmi: 4, isOldLayout: false, occurrences: 2 });
  });

  test('a code that a DM1 repeats is given once, with its highest count', () => {
    expect(decode('04FF 64000103 64000107 6400017F')?.codes).toEqual([
      { spn: 100, fmi: 1, isOldLayout: false, occurrences: 7 },
    ]);
  });
});

describe('the lamps of a DM1 (42.41)', () => {
  test.each([
    ['malfunction, flashing slowly', '403F', [{ lamp: 'malfunction', flash: 'slow' }]],
    ['stop, flashing fast', '10DF', [{ lamp: 'stop', flash: 'fast' }]],
    ['warning', '04FF', [{ lamp: 'warning' }]],
    ['protect', '01FF', [{ lamp: 'protect' }]],
    ['not available, reserved and off', 'E0FF', []],
    ['all', '55FF', [{ lamp: 'stop' }, { lamp: 'warning' }, { lamp: 'protect' }, { lamp: 'malfunction' }]],
  ])('the lamps of a DM1 are decoded: %s', (_, hex, lamps) => {
    expect(decode(`${hex} 64000101 FFFF`)?.lamps).toEqual(lamps);
  });
});

const T0 = Date.UTC(2026, 5, 1, 10) / 1000;
async function observations(text: string, j1939: J1939Scope): Promise<Dm1Observation[]> {
  const dbc =
    'BO_ 2364540158 EEC1: 8 X\n SG_ Rpm : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X\nBO_ 256 Own: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\n';
  const dm1: Dm1Observation[] = [];
  for await (const batch of decodeRecordedLog({
    chunks: () => Readable.from([Buffer.from(text)]),
    format: 'candump',
    definition: {
      buses: [{ bus: 1, bitrate: 250_000, name: 'j.dbc', dbc, j1939 }],
      mapping: { signals: [], keep: [] },
    },
    shift: 'if-before-2015',
    now: (T0 + 86_400) * 1000,
  })) {
    dm1.push(...batch.dm1);
  }
  return dm1;
}

describe('the DM1 messages of a log (42.42)', () => {
  const text = [
    `(${T0}.000900) can1 18FECA21#04FF64000101FFFF`,
    // These lines have another priority, the address of no sender, another bus, and another group.
    `(${T0}.100000) can1 1CFECA03#00FF00000000FFFF`,
    `(${T0}.200000) can1 18FECAFE#04FF64000101FFFF`,
    `(${T0}.300000) can0 18FECA21#04FF64000101FFFF`,
    `(${T0}.400000) can1 18FECB21#04FF64000101FFFF`,
  ].join('\n');

  test('the DM1 messages of a log are recognized by their group, at any priority and from any valid source, on a bus with J1939 messages', async () => {
    const dm1 = await observations(text, 'all');
    expect(dm1.map(({ time, bus, source, state }) => [time, bus, source, state])).toEqual([
      [T0 * 1000, 1, 0x21, expect.objectContaining({ lamp: 'warning', codes: [[100, 1, 0, 1]] })],
      [T0 * 1000 + 100, 1, 0x03, expect.objectContaining({ lamp: null, codes: [] })],
    ]);
  });

  test('the DM1 messages of a log include a message in several frames', async () => {
    const long = [
      `(${T0}.000000) can1 1CECFF21#200A0002FFCAFE00`,
      `(${T0}.050000) can1 1CEBFF21#0110FF640001036E`,
      `(${T0}.100000) can1 1CEBFF21#02000002FFFFFFFF`,
    ].join('\n');
    const [dm1, ...others] = await observations(long, 'all');
    expect(others).toEqual([]);
    expect(dm1).toMatchObject({ bus: 1, source: 0x21, time: T0 * 1000 + 100 });
    expect(dm1?.state).toMatchObject({
      lamp: 'stop',
      codes: [
        [100, 1, 0, 3],
        [110, 0, 0, 2],
      ],
    });
  });

  test('a bus without J1939 messages gives no DM1 messages', async () => {
    expect(await observations(text, 'none')).toEqual([]);
  });

  test('the DM1 messages of a log are decoded once while they do not change', () => {
    const log = new Dm1Log();
    const message = bytes('04FF64000101FFFF');
    for (let second = 0; second < 3; second += 1) log.add(second * 1000, 0, 1, message, 8);
    message[2] = 0x65;
    log.add(3000, 0, 1, message, 8);
    const [first, next, third, changed] = log.take().map(({ state }) => state);
    expect([next, third]).toEqual([first, first]);
    expect(next).toBe(first);
    expect(changed?.codes).toEqual([[101, 1, 0, 1]]);
    expect(log.take()).toEqual([]);
  });
});
