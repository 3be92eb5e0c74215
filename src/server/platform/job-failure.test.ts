import pg from 'pg';
import { expect, test } from 'vitest';
import { isPermanent, PermanentFailure } from './job-failure.ts';

const withCode = (message: string, fields: object) => Object.assign(new Error(message), fields);
const refusal = (code: string) => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });

test.each<[string, unknown, boolean]>([
  ['a PermanentFailure', new PermanentFailure('gone'), true],
  ['what it is about was deleted (foreign key)', refusal('23503'), true],
  ['unique', refusal('23505'), true],
  ['not null', refusal('23502'), true],
  ['check', refusal('23514'), true],
  ['exclusion', refusal('23P01'), true],
  ['NUL in a text', refusal('22021'), true],
  ['number out of range', refusal('22003'), true],
  ['no such number', refusal('22P02'), true],
  ['deadlock', refusal('40P01'), false],
  ['serialization', refusal('40001'), false],
  ['no room on the disk', refusal('53100'), false],
  ['too many connections', refusal('53300'), false],
  ['statement took too long', refusal('57014'), false],
  ['database goes down', refusal('57P01'), false],
  ['database reads only', refusal('25006'), false],
  ['no right, which can be given', refusal('42501'), false],
  ['no such table, before an update is done', refusal('42P01'), false],
  ['raised by a function', refusal('P0001'), false],
  ['database away', withCode('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), false],
  ['database silent', new Error('Query read timeout'), false],
  ['mail server away', withCode('connect ECONNREFUSED', { code: 'ESOCKET' }), false],
  ['mail server wants another password', withCode('535', { code: 'EAUTH', responseCode: 535 }), false],
  ['a code that only looks like one', withCode('x', { code: '23503x' }), false],
  ['an error of ours', new TypeError('undefined is not a function'), false],
  ['no error at all', 'x', false],
])('a failure is permanent only if no retry can resolve it: %s (12.C9)', (_, error, expected) => {
  expect(isPermanent(error)).toBe(expected);
});
