import { expect, test } from 'vitest';
import { isPythonCan, PythonCanLine } from './python-can-line.ts';
import { readLines } from './test/read-lines.ts';

const read = (row: string) => readLines(new PythonCanLine(), Buffer.from(`${row}\n`));

test('a CSV is recognized as one of python-can only by the complete first row (52.3)', () => {
  expect(isPythonCan('timestamp,arbitration_id,extended,remote,error,dlc,data\r\n')).toBe(true);
  expect(isPythonCan('timestamp,arbitration_id,extended,remote,error,dlc')).toBe(false);
  expect(isPythonCan('timestamp,Soc1')).toBe(false);
});

test.each([
  ['1795161600.0,0x201,0,0,0,8,ZGQAAAAAAAA=', '1795161600000000 0 201 6464000000000000'],
  ['1795161600.25,0x18fef100,1,0,0,2,ZGQ=\r', '1795161600250000 0 18fef100x 6464'],
  ['12.000001,0x7,0,0,0,0,', '12000001 0 7 '],
  ['12.5,0x7,0,1,0,8,', '12500000 remote'],
  ['12.5,0x20000004,1,0,1,8,ZGQAAAAAAAA=', '12500000 error'],
])('the row %j of python-can is read as a frame (52.3)', (row, frame) => {
  expect(read(row)).toEqual({ rows: [frame], bad: [] });
});

test.each([
  'x,0x201,0,0,0,8,ZGQAAAAAAAA=',
  '-1,0x201,0,0,0,8,ZGQAAAAAAAA=',
  '1.0,201,0,0,0,8,ZGQAAAAAAAA=',
  '1.0,0x800,0,0,0,1,ZA==',
  '1.0,0x20000000,1,0,0,1,ZA==',
  '1.0,0x201,2,0,0,1,ZA==',
  '1.0,0x201,0,0,0,8,ZGQ=',
  '1.0,0x201,0,0,0,1,!!!!',
  '1.0,0x201,0,0,0,1,ZA==,1',
  '1.0,0x201,0,0,0',
])('the row %j of python-can is bad (52.3)', (row) => {
  expect(read(row)).toEqual({ rows: [], bad: [row] });
});
