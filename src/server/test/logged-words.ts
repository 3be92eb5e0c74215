import { subscribe } from 'node:diagnostics_channel';
import { afterAll, expect } from 'vitest';
import { hasFieldText } from '#shared/domain/log-fields.ts';
import { LOG_ACTIONS } from '#shared/domain/log-text.ts';

/** Part of a row of the log as it is announced (platform/audit.ts). */
type Row = {
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly aside: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
};

/** Returns what of a row has no Dutch words: 'machine.edit: colour = "red"'. */
export function withoutWords({ action, data, aside, changes }: Row): string[] {
  const values = [
    ...Object.entries({ ...data, ...aside }).map(([name, value]) => [name, value] as const),
    ...Object.entries(changes).flatMap(([name, both]) => both.map((value) => [name, value] as const)),
  ];
  return [
    ...(Object.hasOwn(LOG_ACTIONS, action) ? [] : [action]),
    ...values
      .filter(([name, value]) => !hasFieldText(name, value))
      .map(([name, value]) => `${action}: ${name} = ${JSON.stringify(value)}`),
  ];
}

const found = new Set<string>();
/** Test files of one worker share its process. */
const SUBSCRIBED = Symbol.for('werkstroom:logged-words');
const shared = globalThis as { [SUBSCRIBED]?: Set<string> };
if (!shared[SUBSCRIBED]) {
  shared[SUBSCRIBED] = found;
  subscribe('werkstroom:audit', (row) => {
    for (const text of withoutWords(row as Row)) shared[SUBSCRIBED]?.add(text);
  });
}

/** Every row that any server test makes the code write has Dutch words (55.40). */
afterAll(() => {
  const missing = [...(shared[SUBSCRIBED] ?? [])];
  shared[SUBSCRIBED]?.clear();
  expect(missing, 'Names or values of the log without Dutch words (shared/domain/log-fields.ts)').toEqual([]);
});
