import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALERT_KIND_NAMES } from '#shared/domain/alerts/kinds.ts';

/** Files that may compare the name of a kind, because they are about one kind of alert: its events, subscriptions or preset rule. */
const OF_ONE_KIND = [
  'server/account/own-data.ts',
  'server/account/own-subscriptions.ts',
  'server/alerts/evaluate-presences.ts',
  'server/subscriptions/subscriptions.store.ts',
  'shared/domain/alerts/presence-events.ts',
  'web/features/alert-rules/alert-rules-page.tsx',
];

const WEB = ['web/app', 'web/features/alert-rules', 'web/features/alerts'];

test('only files about one kind of alert compare the name of an alert kind (16.1u)', () => {
  const decides = new RegExp(`(?:\\bkind *(?:===|!==|=|<>) *|\\bcase )'(?:${ALERT_KIND_NAMES.join('|')})'`);
  const folders = [
    ...['server/alerts', 'server/account', 'server/subscriptions'],
    'shared/domain/alerts',
    ...WEB,
  ];
  const found = folders
    .flatMap((folder) =>
      readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/test\/|\.stories\./.test(file))
    .filter((file) => decides.test(readFileSync(join('src', file), 'utf8')));
  expect(found.sort()).toEqual(OF_ONE_KIND);
});
