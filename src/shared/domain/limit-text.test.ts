import { expect, test } from 'vitest';
import { type NamedAccessLimit, ownAccessLimitText, userAccessLimitText } from './limit-text.ts';

const of = (projects: string[], labels: string[], onlyToday = false): NamedAccessLimit => ({
  machines: { projects, labels },
  onlyToday,
});

test.each<[NamedAccessLimit, string, string]>([
  [of(['Sluis'], []), 'Je ziet alleen machines van project ‘Sluis’.', 'beperkt tot project ‘Sluis’'],
  [
    of(['Kade', 'Sluis'], ['Huur'], true),
    'Je ziet alleen machines van projecten ‘Kade’ en ‘Sluis’ en label ‘Huur’, en alleen vandaag.',
    'beperkt tot projecten ‘Kade’ en ‘Sluis’ en label ‘Huur’, alleen vandaag',
  ],
  [
    of([], ['A', 'B', 'C', 'D']),
    'Je ziet alleen machines van labels ‘A’, ‘B’ en 2 andere.',
    'beperkt tot labels ‘A’, ‘B’ en 2 andere',
  ],
  [{ machines: null, onlyToday: true }, 'Je ziet alleen de dag van vandaag.', 'alleen vandaag'],
  [
    of([], []),
    'Je ziet nu geen machines: je projecten zijn afgelopen of je labels bestaan niet meer.',
    'beperkt tot projecten of labels die er niet meer zijn',
  ],
])('the texts about a limit, for the limited user and for their manager: %o (53.21)', (limit, own, other) => {
  expect([ownAccessLimitText(limit), userAccessLimitText(limit)]).toEqual([own, other]);
});
