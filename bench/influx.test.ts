import { expect, test } from 'vitest';
import { lineOf, rowsOf } from './influx.ts';

test.each([
  [
    'BENCH-0',
    { Speed: 3.5, Spoor: 0 },
    1_700_000_000_000,
    'reading,serial=BENCH-0 Speed=3.5,Spoor=0 1700000000000',
  ],
  ['EX 14,a=b', { Speed: -1 }, 1, 'reading,serial=EX\\ 14\\,a\\=b Speed=-1 1'],
  ['é"\\x', { Speed: 1e-9 }, 1, 'reading,serial=é"\\x Speed=1e-9 1'],
  [
    'A',
    { 'EEC1, a.Engine Speed': 2, 'x=y': 1e21 },
    -5,
    'reading,serial=A EEC1\\,\\ a.Engine\\ Speed=2,x\\=y=1e+21 -5',
  ],
] as const)('17.8 a line of %s with %j', (serial, signals, time, line) => {
  expect(lineOf(serial, signals, time)).toBe(line);
});

test('17.8 an answer has rows, or says what is wrong', () => {
  expect(
    rowsOf('{"results":[{"statement_id":0,"series":[{"columns":["time","sum"],"values":[[0,2]]}]}]}'),
  ).toEqual([[0, 2]]);
  expect(() => rowsOf('{"results":[{"statement_id":0,"error":"database not found: x"}]}')).toThrow(
    'not found: x',
  );
  expect(() => rowsOf('{"results":[{"statement_id":0}]}')).toThrow('no rows');
});
