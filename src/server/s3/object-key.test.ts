import { expect, test } from 'vitest';
import { checkKey, isInOwnFolder } from './object-key.ts';

test.each([
  ['BM_SN0000001/a.json', 'fine'],
  ['BM_SN0000001/a..b/c....json', 'fine'],
  ['a'.repeat(1024), 'fine'],
  ['a'.repeat(1025), 'KeyTooLongError'],
  ['ü'.repeat(513), 'KeyTooLongError'],
  ['../a', 'InvalidArgument'],
  ['a/../b', 'InvalidArgument'],
  ['a/..', 'InvalidArgument'],
  ['a/./b', 'InvalidArgument'],
  ['a//b', 'InvalidArgument'],
  ['/a', 'InvalidArgument'],
  ['a/', 'InvalidArgument'],
  ['a\u0000b', 'InvalidArgument'],
  ['a\nb', 'InvalidArgument'],
  ['a\u007fb', 'InvalidArgument'],
  ['a\u0085b', 'InvalidArgument'],
])('the key %j is checked: %s (INGEST-03)', (key, expected) => {
  if (expected === 'fine') checkKey(key);
  else expect(() => checkKey(key)).toThrow(expect.objectContaining({ code: expected }));
});

test.each([
  ['BM_SN0000001/a.json', true],
  ['_SN0000001/1/a.rxd', true],
  ['SN0000001/a.json', false],
  ['BM_SN0000002/a.json', false],
  ['BM_SN00000012/a.json', false],
  ['BM_SN0000001', true],
  ['BM_SN0000002', false],
  ['BM_SN0000001x/a.json', false],
  ['other/BM_SN0000001/a.json', false],
  ['/BM_SN0000001/a.json', false],
])('the key %s is in a folder of logger 0000001: %s (INGEST-01)', (key, expected) => {
  expect(isInOwnFolder(key, '0000001')).toBe(expected);
});

test.each([
  ['2F6913DB/00000004/00000001-63BEF5CD.MF4', true],
  ['2F6913DB/device.json', true],
  ['2F6913DB', true],
  ['2F6913DC/00000004/00000001-63BEF5CD.MF4', false],
  ['2f6913db/device.json', false],
  ['x2F6913DB/device.json', false],
  ['2F6913DBx/device.json', false],
  ['BM_SN2F6913DB/device.json', false],
  ['other/2F6913DB/device.json', false],
])('the key %s is in the folder of the CANedge 2F6913DB: %s (43.6)', (key, expected) => {
  expect(isInOwnFolder(key, '2F6913DB')).toBe(expected);
});
