import { describe, expect, test } from 'vitest';
import type { LogLineKind } from './can-frame.ts';
import { readGvretHeader } from './gvret-header.ts';
import { GvretLine } from './gvret-line.ts';

const SAVVYCAN = 'Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8';
const OLDER = SAVVYCAN.replace('Dir,', '');

function read(row: string, { header = SAVVYCAN, whole = true } = {}) {
  const columns = readGvretHeader(header);
  if (columns === undefined) throw new Error('no GVRET header');
  const line = new GvretLine(columns);
  const text = Buffer.from(`x${row}\n`);
  const kind: LogLineKind = line.read(text, 1, text.length - 1, whole);
  const { timeMs, bus, id, extended, data, length } = line.frame;
  return { kind, timeMs, bus, id, extended, data: Buffer.from(data.subarray(0, length)).toString('hex') };
}

describe('the first row of a GVRET CSV (INGEST-05)', () => {
  test.each([
    ["SavvyCAN's", SAVVYCAN],
    ['without Dir', OLDER],
    ['in lower case', SAVVYCAN.toLowerCase()],
    ['with blanks', SAVVYCAN.replaceAll(',', ' , ')],
    ['quoted', SAVVYCAN.replaceAll(/[^,]+/g, '"$&"')],
    ['with a comma at the end and a line end', `${SAVVYCAN},\r\n`],
    ['with semicolons', SAVVYCAN.replaceAll(',', ';')],
    ['of one byte', 'time_stamp,ID,Extended,Bus,LEN,D1'],
    ['of CAN FD', `${OLDER},${Array.from({ length: 56 }, (_, i) => `D${i + 9}`).join(',')}`],
  ])('the first row of a GVRET CSV is recognized: %s', (_, row) => {
    expect(readGvretHeader(row)).toMatchObject({ dataColumns: row.match(/\bD\d+\b/gi)?.length });
  });

  test.each([
    ['a wide CSV', 'time,Soc1,Speed'],
    ['a wide CSV with some of its names', 'timestamp,ID,Bus,D1'],
    ['without LEN', SAVVYCAN.replace('LEN,', '')],
    ['with a column twice', SAVVYCAN.replace('Dir', 'Bus')],
    ['with data in another order', SAVVYCAN.replace('D1,D2', 'D2,D1')],
    ['with a column behind the data', `${SAVVYCAN},ASCII`],
    ['empty', ''],
  ])('the first row of another CSV is not recognized as GVRET: %s', (_, row) => {
    expect(readGvretHeader(row)).toBeUndefined();
  });
});

describe('rows of a GVRET CSV that are frames (INGEST-05)', () => {
  const row = '39747828,000005EB,false,Rx,0,8,E8,45,85,4B,4A,28,36,69';
  const frame = { kind: 'frame', timeMs: 39747.828, bus: 0, id: 0x5eb, extended: false };
  const full = 'e845854b4a283669';
  test.each<[string, string, object]>([
    ['as SavvyCAN writes them', `${row},`, { ...frame, data: full }],
    ['without the comma at the end', row, { ...frame, data: full }],
    ['with a Windows line end', `${row},\r`, { ...frame, data: full }],
    ['in the other case', row.toLowerCase().replace('false', 'FALSE'), { ...frame, data: full }],
    ['with blanks behind commas', row.replaceAll(',', ', '), { ...frame, data: full }],
    ['quoted', row.replaceAll(/[^,]+/g, '" $& "'), { ...frame, data: full }],
    ['since 1970', row.replace('39747828', '1772359200123456'), { timeMs: 1772359200123.456 }],
    ['sent, on bus 2', row.replace('Rx,0', 'Tx,2'), { ...frame, bus: 2, data: full }],
    ['extended', row.replace('000005EB,false', '18FEF100,true'), { id: 0x18fef100, extended: true }],
    ['flagged with 1', row.replace('false', '1'), { id: 0x5eb, extended: true }],
    ['long without the flag', row.replace('000005EB', '18FEF100'), { id: 0x18fef100, extended: true }],
    ['short', '1,5EB,false,Rx,0,2,E8,45', { kind: 'frame', timeMs: 0.001, data: 'e845' }],
    ['short, filled with zeros', '1,5EB,false,Rx,0,2,E8,45,00,00,00,00,00,00,', { data: 'e845' }],
    ['short, with empty cells', '1,5EB,false,Rx,0,2,E8,45,,,,,,,', { data: 'e845' }],
    ['without data', '1,5EB,false,Rx,0,0', { kind: 'frame', data: '' }],
    ['without leading zeros', '1,5EB,false,Rx,0,2,8,F', { kind: 'frame', data: '080f' }],
    ['of CAN FD', `1,5EB,false,Rx,0,64${',A5'.repeat(64)},`, { kind: 'frame', data: 'a5'.repeat(64) }],
    [
      'of CAN FD, of which only 8 were written',
      `1,5EB,false,Rx,0,64${',A5'.repeat(8)},`,
      { data: 'a5'.repeat(8) },
    ],
  ])('rows of a GVRET CSV are read as frames: %s', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  test('rows of a GVRET CSV are read without a column for the direction', () => {
    expect(read(row.replace('Rx,', ''), { header: OLDER })).toEqual({ ...frame, data: full });
  });

  test('the last row of a GVRET CSV is read without a line end, unless its last byte may have lost a digit', () => {
    expect(read(row, { whole: false }).kind).toBe('frame');
    expect(read(row.slice(0, -1), { whole: false }).kind).toBe('bad');
    expect(read(row.slice(0, -2), { whole: false }).kind).toBe('bad');
  });
});

test.each<[string, LogLineKind]>([
  ['', 'blank'],
  [' \t\r', 'blank'],
  ['nonsense', 'bad'],
  [SAVVYCAN, 'bad'],
  ['1,5EB,false,Rx,0', 'bad'],
  ['1,5EB,false,Rx,0,', 'bad'],
  ['1,5EB,false,Rx,0,8,E8,45', 'bad'],
  ['1,5EB,false,Rx,0,2,E8,,45', 'bad'],
  ['1,5EB,false,Rx,0,2,E8,4G', 'bad'],
  ['1,5EB,false,Rx,0,2,E8,450', 'bad'],
  ['1,5EB,false,Rx,0,65,E8', 'bad'],
  ['1,5EB,false,Rx,0,-1,E8', 'bad'],
  ['1,5EB,false,Rx,,1,E8', 'bad'],
  ['1,5EB,maybe,Rx,0,1,E8', 'bad'],
  ['1,,false,Rx,0,1,E8', 'bad'],
  ['1,0x5EB,false,Rx,0,1,E8', 'bad'],
  ['1,20000000,true,Rx,0,1,E8', 'bad'],
  ['-1,5EB,false,Rx,0,1,E8', 'frame'],
  ['--1,5EB,false,Rx,0,1,E8', 'bad'],
  ['-,5EB,false,Rx,0,1,E8', 'bad'],
  ['1.5,5EB,false,Rx,0,1,E8', 'bad'],
  ['12345678901234567,5EB,false,Rx,0,1,E8', 'bad'],
  ['1;5EB;false;Rx;0;1;E8', 'bad'],
])('the row %j of a GVRET CSV is read as: %s (INGEST-03)', (row, kind) => {
  expect(read(row).kind).toBe(kind);
});

test('a negative time of GVRET is valid (52.1)', () => {
  expect(read('-1998000000,5EB,false,Rx,0,1,E8')).toMatchObject({ kind: 'frame', timeMs: -1_998_000 });
});

test.each([
  [8, 8],
  [9, 12],
  [15, 64],
  [64, 64],
])('the number %i in a column DLC of GVRET means %i bytes (52.3)', (dlc, bytes) => {
  const header = `Time Stamp,ID,Extended,Bus,DLC,${Array.from({ length: 64 }, (_, n) => `D${n + 1}`).join()}`;
  const { kind, data } = read(`1,5EB,false,0,${dlc},${'0A,'.repeat(64)}`, { header });
  expect([kind, data.length / 2]).toEqual(['frame', bytes]);
});
