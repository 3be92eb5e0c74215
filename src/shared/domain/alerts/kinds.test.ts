import { expect, test } from 'vitest';
import {
  ALERT_KIND_NAMES,
  type AlertKind,
  defaultSettings,
  type RuleSettings,
  settingErrors,
} from './kinds.ts';

test.each(ALERT_KIND_NAMES)('the default settings of %s have no errors (16.1u)', (kind) => {
  expect(settingErrors(kind, defaultSettings(kind))).toEqual([]);
});

test.each<[string, AlertKind, RuleSettings, string[]]>([
  ['one lacks', 'silent', { threshold: undefined }, ['threshold ontbreekt']],
  ['one is none of the kind', 'silent', { clear: 5 }, ['clear hoort niet bij deze soort']],
  ['too little', 'low', { threshold: 0 }, ['threshold moet tussen 1 en 99 % liggen']],
  ['too much', 'low', { clear: 101 }, ['clear moet tussen 1 en 100 % liggen']],
  ['the borders themselves', 'low', { threshold: 1, clear: 100, hold: 0, clearHold: 1440 }, []],
  ['just beyond a border', 'low', { clearHold: 1441 }, ['clearHold moet tussen 0 en 1440 min liggen']],
  [
    'several',
    'low',
    { threshold: 0, hold: undefined },
    ['threshold moet tussen 1 en 99 % liggen', 'hold ontbreekt'],
  ],
  ['low is over below where it begins', 'low', { threshold: 30 }, ['clear mag niet onder de grens liggen']],
  ['what lacks contradicts nothing', 'low', { threshold: 30, hold: undefined }, ['hold ontbreekt']],
  ['low is over where it begins', 'low', { threshold: 25 }, []],
  [
    'a shift is not over below where it begins',
    'runs-short',
    { threshold: 26 },
    ['clear mag niet onder de grens liggen'],
  ],
  [
    'speeding is over above where it begins',
    'speeding',
    { clear: 46 },
    ['clear mag niet boven de grens liggen'],
  ],
  ['speeding is over where it begins', 'speeding', { clear: 45 }, []],
  ['so with packs that lie apart', 'packs-apart', { clear: 11 }, ['clear mag niet boven de grens liggen']],
  [
    'a pack is silent before its value is old',
    'pack-silent',
    { threshold: 5 },
    ['threshold moet tussen 6 en 1440 min liggen'],
  ],
])('reports errors in the settings of a rule: %s (16.1u)', (_, kind, other, expected) => {
  const faults = settingErrors(kind, { ...defaultSettings(kind), ...other });
  expect(faults.map(({ setting, message }) => `${setting} ${message}`)).toEqual(expected);
});
