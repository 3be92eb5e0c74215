import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { point, TIME_ELEMENT, track } from '#server/telemetry/decode/gpx/test/written-gpx.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { decodeSnapshot } from '#server/telemetry/decode/snapshot.ts';
import { decodeStatus } from '#server/telemetry/decode/status.ts';
import {
  decodeLog,
  LOG_NOW_MS,
  LOG_START_SECONDS,
  readAllBatches,
  rpmLine,
  socLine,
} from '#server/telemetry/decode/test/small-log.ts';
import { NASTY_TEXTS } from './fuzz/values.ts';

/** Tests that the parsers of files from loggers and administrators turn a damaged file into valid readings or an error message. */
/** Time limit in ms for one file, on a busy computer. */
const MAX_PARSE_MS = 4_000;
const SINCE_2015 = Date.UTC(2015, 0, 1);
const iso = (n: number) => new Date((LOG_START_SECONDS + n) * 1000).toISOString();
const rows = (make: (n: number) => string) => Array.from({ length: 20 }, (_, n) => make(n)).join('\n');
const DBC = `VERSION "1"
BU_: BMS
BO_ 500 BMS_Status: 8 BMS
 SG_ soc M : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ cell m1 : 8|16@0- (0.1,-40) [0|0] "V" Vector__XXX
CM_ SG_ 500 soc "a \\"b";
VAL_ 500 soc 0 "uit" 1 "aan" ;
SIG_VALTYPE_ 500 cell : 1;
BA_DEF_ SG_ "x" INT 0 1;
`;
const LOGS = {
  candump: rows((n) => socLine(LOG_START_SECONDS + n, 'A0') + rpmLine(LOG_START_SECONDS + n, '0000C842')),
  csv: `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3\n${rows((n) => `${(LOG_START_SECONDS + n) * 1e6},00000001,false,Rx,0,3,A0,0A,00`)}`,
  wide: `time,lat,lon,Soc1,"a ""b"""\n${rows((n) => `${iso(n)},52.1,5.1,${80 - n},x`)}`,
  lmb: `time;lat;lon;Speed;Machinestatus;Spoor;Spoorstand\n${rows((n) => `12-4-2025 08:00:${10 + n};52,1;5,25;12,5;2;1;0`)}`,
  gpx: track(rows((n) => point(`${TIME_ELEMENT.replace('00:00Z', `00:${10 + n}Z`)}<speed>${n}</speed>`))),
};
const SNAPSHOT = JSON.stringify({
  GMT_UNIX: LOG_START_SECONDS,
  LATITUDE: 52,
  LONGITUDE: 5,
  Soc1: 80,
  IsCharging1: 1,
  extra: { a: [1] },
});

const piece = fc.oneof(
  fc.constantFrom(
    ...NASTY_TEXTS,
    '\n',
    '\r',
    ';',
    ',',
    '"',
    "'",
    '<',
    '>',
    '&',
    '#',
    '0',
    '{',
    ']]>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
/** Generates the bytes of a good file in which byte ranges are damaged; some files are also compressed, truncated or in UTF-16. */
const spoilt = (good: string): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.constantFrom('insert', 'remove', 'repeat', 'flip'),
          fc.nat({ max: 200 }),
          piece,
        ),
        { minLength: 1, maxLength: 6 },
      ),
      fc.constantFrom('plain', 'plain', 'plain', 'zipped', 'half zipped', 'UTF-16'),
    )
    .map(([changes, form]) => {
      let bytes = Buffer.from(good);
      for (const [place, kind, length, text] of changes) {
        const at = place % (bytes.length + 1);
        const end = Math.min(bytes.length, at + length);
        const middle = bytes.subarray(at, end);
        const instead = {
          insert: Buffer.concat([Buffer.from(text), middle]),
          remove: Buffer.alloc(0),
          repeat: Buffer.concat(Array.from({ length: 50 }, () => middle)),
          flip: Buffer.from(middle.map((byte) => byte ^ (1 << (length % 8)))),
        }[kind as 'insert'];
        bytes = Buffer.concat([bytes.subarray(0, at), instead, bytes.subarray(end)]);
      }
      if (form === 'UTF-16') return Buffer.from(bytes.toString('utf8'), 'utf16le');
      const zipped = form === 'plain' ? bytes : gzipSync(bytes);
      return form === 'half zipped' ? zipped.subarray(0, zipped.length / 2) : zipped;
    });

test.each(Object.entries(LOGS))(
  'a damaged %s gives plausible readings, or an error with a message (INGEST-03, INGEST-05)',
  { timeout: 60_000 },
  async (name, good) => {
    const format = name === 'candump' || name === 'gpx' ? name : 'csv';
    expect((await readAllBatches(decodeLog(good, { format }))).readings.length).toBeGreaterThan(0);
    const sizes = fc.constantFrom(1 << 20, 7, 1_000);
    await fc.assert(
      fc.asyncProperty(spoilt(good), sizes, async (bytes, chunkBytes) => {
        const began = performance.now();
        try {
          const { readings } = await readAllBatches(decodeLog(bytes, { format, chunkBytes }));
          for (const { time, signals } of readings) {
            expect(time >= SINCE_2015 && time <= LOG_NOW_MS + 600_000).toBe(true);
            expect(Object.values(signals).every(Number.isFinite)).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(LogError);
          expect((error as Error).message).toMatch(/^[A-Z0-9]/i);
        }
        expect(performance.now() - began).toBeLessThan(MAX_PARSE_MS);
      }),
      { numRuns: 150 },
    );
  },
);

test('a damaged DBC is read, or refused with a message (INGEST-04, MEDIT-12)', () => {
  expect(parseDbc(DBC).messages.length).toBe(1);
  fc.assert(
    fc.property(spoilt(DBC), (bytes) => {
      const began = performance.now();
      try {
        parseDbc(bytes.toString('latin1'));
      } catch (error) {
        expect(error).toBeInstanceOf(DbcError);
      }
      expect(performance.now() - began).toBeLessThan(MAX_PARSE_MS);
    }),
    { numRuns: 300 },
  );
});

test('a damaged snapshot or status is read or quarantined, and adds nothing to Object.prototype (INGEST-03)', () => {
  fc.assert(
    fc.property(
      fc.oneof(spoilt(SNAPSHOT), fc.json().map(Buffer.from), fc.uint8Array().map(Buffer.from)),
      (bytes) => {
        const snapshot = decodeSnapshot(bytes, LOG_NOW_MS);
        const signals = snapshot.ok ? snapshot.reading.signals : {};
        expect(Object.values(signals).every(Number.isFinite)).toBe(true);
        decodeStatus(bytes);
      },
    ),
    { numRuns: 500 },
  );
  decodeSnapshot(
    Buffer.from('{"GMT_UNIX":1,"__proto__":{"spoilt":1},"constructor":{"prototype":{"spoilt":1}}}'),
    LOG_NOW_MS,
  );
  expect(({} as { spoilt?: number }).spoilt).toBeUndefined();
});

test('peers: XXE (CVE-2026-54640): a GPX file with a DOCTYPE is refused, so that no external entity is resolved (INGEST-05, MEDIT-11)', async () => {
  for (const doctype of [
    '<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE gpx SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<!DOCTYPE gpx [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>',
    '<!doctype gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
  ]) {
    const file = track(point(TIME_ELEMENT)).replace('<gpx', `${doctype}<gpx`).replace('Tuin', '&x;');
    // XML knows DOCTYPE in capitals only; in lower case the XML is invalid.
    const message = expect.stringContaining(doctype.startsWith('<!DOCTYPE') ? 'DOCTYPE' : 'geen goede XML');
    const refusal = { name: 'LogError', message };
    await expect(readAllBatches(decodeLog(file, { format: 'gpx' })), doctype).rejects.toMatchObject(refusal);
  }
});
