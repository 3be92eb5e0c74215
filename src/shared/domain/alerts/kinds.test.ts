import { expect, test } from 'vitest';
import { alertText, EVALUATIONS } from './evaluations.ts';
import type { RuleSettings } from './kinds/kind.ts';
import { ALERT_KIND_NAMES, type AlertKind, defaultSettings, settingErrors } from './kinds.ts';

test.each(ALERT_KIND_NAMES)('the default settings of %s have no errors (16.1u)', (kind) => {
  expect(settingErrors(kind, defaultSettings(kind))).toEqual([]);
});

test.each<[string, AlertKind, RuleSettings, string[]]>([
  ['a missing setting', 'silent', { threshold: undefined }, ['threshold ontbreekt']],
  ['a setting that the kind does not have', 'silent', { clear: 5 }, ['clear hoort niet bij deze soort']],
  ['a value that is too small', 'low', { threshold: 0 }, ['threshold moet tussen 1 en 99 % liggen']],
  ['a value that is too large', 'low', { clear: 101 }, ['clear moet tussen 1 en 100 % liggen']],
  ['the smallest and largest values', 'low', { threshold: 1, clear: 100, hold: 0, clearHold: 1440 }, []],
  [
    'just above the largest value',
    'low',
    { clearHold: 1441 },
    ['clearHold moet tussen 0 en 1440 min liggen'],
  ],
  [
    'several errors',
    'low',
    { threshold: 0, hold: undefined },
    ['threshold moet tussen 1 en 99 % liggen', 'hold ontbreekt'],
  ],
  [
    'a low battery that resolves below its threshold',
    'low',
    { threshold: 30 },
    ['clear mag niet onder de grens liggen'],
  ],
  ['a missing setting is not compared', 'low', { threshold: 30, hold: undefined }, ['hold ontbreekt']],
  ['a low battery that resolves at its threshold', 'low', { threshold: 25 }, []],
  [
    'a short charge that resolves below its threshold',
    'runs-short',
    { threshold: 26 },
    ['clear mag niet onder de grens liggen'],
  ],
  [
    'speeding that resolves above its threshold',
    'speeding',
    { clear: 46 },
    ['clear mag niet boven de grens liggen'],
  ],
  ['speeding that resolves at its threshold', 'speeding', { clear: 45 }, []],
  [
    'a difference of packs that resolves above its threshold',
    'packs-apart',
    { clear: 11 },
    ['clear mag niet boven de grens liggen'],
  ],
  [
    'a silence of a pack shorter than its value counts',
    'pack-silent',
    { threshold: 5 },
    ['threshold moet tussen 6 en 1440 min liggen'],
  ],
])('settingErrors reports errors in the settings of a rule: %s (16.1u)', (_, kind, other, expected) => {
  const faults = settingErrors(kind, { ...defaultSettings(kind), ...other });
  expect(faults.map(({ setting, message }) => `${setting} ${message}`)).toEqual(expected);
});

test.each(ALERT_KIND_NAMES)('the text of %s is made from its stored figures alone (16.1u, 46.4)', (kind) => {
  const [figures, text] = EVALUATIONS[kind].sample;
  expect(alertText(kind, JSON.parse(JSON.stringify(figures)))).toBe(text);
});
