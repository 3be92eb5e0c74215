import { subscribe } from 'node:diagnostics_channel';
import { afterAll, expect } from 'vitest';
import { hasFieldText } from '#shared/domain/log-fields.ts';
import { LOG_ACTIONS } from '#shared/domain/log-text.ts';

/** Part of an audit row, as platform/audit.ts publishes it on a diagnostics channel. */
type Row = {
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly aside: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
};

/** Returns the action, and the fields with their values, for which the log has no Dutch text: 'machine.edit: colour = "red"'. */
export function fieldsWithoutDutchText({ action, data, aside, changes }: Row): string[] {
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
/** Key on `globalThis` of the set of missing texts, because test files that run in one worker share its process. */
const SUBSCRIBED = Symbol.for('werkstroom:logged-texts');
const shared = globalThis as { [SUBSCRIBED]?: Set<string> };
if (!shared[SUBSCRIBED]) {
  shared[SUBSCRIBED] = found;
  subscribe('werkstroom:audit', (row) => {
    for (const text of fieldsWithoutDutchText(row as Row)) shared[SUBSCRIBED]?.add(text);
  });
}

/** Checks that every audit row written in any server test has Dutch texts (55.40). */
afterAll(() => {
  const missing = [...(shared[SUBSCRIBED] ?? [])];
  shared[SUBSCRIBED]?.clear();
  expect(missing, 'Names or values of the log without Dutch words (shared/domain/log-fields.ts)').toEqual([]);
});
