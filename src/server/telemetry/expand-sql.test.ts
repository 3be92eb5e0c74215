import { expect, test } from 'vitest';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { expandSql } from './expand-sql.ts';

const STORED_COLUMNS = SIGNALS.map(({ column }) => column);
const TAIL_COLUMNS = SIGNALS.filter(({ tail }) => tail).map(({ column }) => column);

const listed = (text: (column: string) => string, columns: readonly string[] = STORED_COLUMNS) =>
  columns.map(text).join(', ');

test.each<[what: string, sql: string, expected: string]>([
  [
    'a list of columns',
    'insert into reading (time, {{$}}, rest)',
    `insert into reading (time, ${listed((c) => c)}, rest)`,
  ],
  ['arguments', '{{in_$ float8[]}}', listed((c) => `in_${c} float8[]`)],
  [
    'a column more than once',
    '{{coalesce(r.$, i.$) as $}}',
    listed((c) => `coalesce(r.${c}, i.${c}) as ${c}`),
  ],
  [
    'two lists on a line',
    '({{a.$}}) = ({{b.$}})',
    `(${listed((c) => `a.${c}`)}) = (${listed((c) => `b.${c}`)})`,
  ],
  ['the tail', 'set {{tail: tail_$ = s.$}}', `set ${listed((c) => `tail_${c} = s.${c}`, TAIL_COLUMNS)}`],
  ['a number', "time + interval '{{MAX_GAP_MS}} ms'", `time + interval '${MAX_GAP_MS} ms'`],
  ['nothing else', `as $$ select '{"a": {}}'::json $$`, `as $$ select '{"a": {}}'::json $$`],
])('%s', (_what, sql, expected) => {
  expect(expandSql(sql)).toBe(expected);
});

test('11.3 the signals by their own names', () => {
  expect(expandSql(`key in ({{signal: '$'}})`)).toMatch(/^key in \('LATITUDE', .*'Soc4'\)$/);
});

test.each(['{{tails: $}}', '{{MAX_GAPS}}'])('%s is not known', (sql) => {
  expect(() => expandSql(sql)).toThrow(/does not have/);
});
