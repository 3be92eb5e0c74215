import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIGNALS } from '#shared/domain/signal.ts';
import { expandSqlColumnLists } from './expand-sql.ts';
import { SUM_COLUMNS } from './rollup-columns.ts';

const STORED_COLUMNS = SIGNALS.map(({ column }) => column);

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
  [
    'sums',
    '{{sum: $ = r.$}}',
    listed(
      (c) => `${c} = r.${c}`,
      SUM_COLUMNS.map(({ column }) => column),
    ),
  ],
  ['nothing else', `as $$ select '{"a": {}}'::json $$`, `as $$ select '{"a": {}}'::json $$`],
])('expandSqlColumnLists expands %s', (_what, sql, expected) => {
  expect(expandSqlColumnLists(sql)).toBe(expected);
});

test('every column of the catalogue is an argument of the function that stores readings (11.3)', () => {
  const sql = expandSqlColumnLists(readFileSync('src/server/telemetry/sql/store-readings.sql', 'utf8'));
  for (const column of STORED_COLUMNS) expect(sql).toContain(`in_${column} double precision[]`);
});

test.each(['{{tails: $}}', '{{sums: $}}'])('expandSqlColumnLists rejects %s', (sql) => {
  expect(() => expandSqlColumnLists(sql)).toThrow(/does not have/);
});
