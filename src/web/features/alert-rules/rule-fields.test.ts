import { expect, test } from 'vitest';
import { isOperatorKind, OFFERED_ALERT_KINDS, settingErrors } from '#shared/domain/alerts/kinds.ts';
import {
  defaultRule,
  formatSettings,
  kindsWithoutRule,
  offeredKinds,
  parseSettings,
  type RuleFields,
  ruleErrors,
  type TypedSettings,
} from './rule-fields.ts';

const errorsOf = (change: Partial<RuleFields>, typed?: TypedSettings, isOwn = false) => {
  const rule = { ...defaultRule('low', isOwn), ...change };
  return ruleErrors({ ...rule, typed: { ...formatSettings(rule.settings), ...typed }, isOwn }).map(
    ({ name, message }) => [name, message],
  );
};

test.each(OFFERED_ALERT_KINDS)('the default rule of kind %s is valid (16.8e)', (kind) => {
  const rule = defaultRule(kind, false);
  expect(settingErrors(kind, rule.settings)).toEqual([]);
  expect(parseSettings(kind, formatSettings(rule.settings))).toEqual(rule.settings);
  expect(ruleErrors({ ...rule, typed: formatSettings(rule.settings), isOwn: false })).toEqual([]);
});

test.each<[string, Partial<RuleFields>, TypedSettings, readonly (readonly [string, string])[]]>([
  ['valid values', {}, {}, []],
  ['no name', { ruleName: '  ' }, {}, [['ruleName', 'Naam ontbreekt.']]],
  ['no label', { machines: { by: 'labels', ids: [] } }, {}, [['machines', 'Kies minstens één label.']]],
  [
    'no machine',
    { machines: { by: 'chosen', serials: [] } },
    {},
    [['machines', 'Kies minstens één machine.']],
  ],
  ['a text instead of a number', {}, { threshold: 'veel' }, [['threshold', 'Onder is een getal, zoals 20.']]],
  ['an empty number', {}, { threshold: '' }, [['threshold', 'Onder ontbreekt.']]],
  [
    'a number out of bounds',
    {},
    { threshold: '120' },
    [['threshold', 'Onder moet tussen 1 en 99 % liggen.']],
  ],
  ['a contradiction', {}, { clear: '10' }, [['clear', 'Voorbij vanaf mag niet onder de grens liggen.']]],
  ['no recipient', { roles: [] }, {}, [['people', 'Kies wie de meldingen krijgt: een rol, of mensen.']]],
  [
    'several errors, in the order of the form',
    { ruleName: '', roles: [] },
    { threshold: '0' },
    [
      ['ruleName', 'Naam ontbreekt.'],
      ['threshold', 'Onder moet tussen 1 en 99 % liggen.'],
      ['people', 'Kies wie de meldingen krijgt: een rol, of mensen.'],
    ],
  ],
])('the form lists the errors of a rule with %s (16.8f)', (_, change, typed, expected) => {
  expect(errorsOf(change, typed)).toEqual(expected);
});

test('a rule that notifies only its owner is valid although it lists no recipients (16.8f)', () => {
  expect(errorsOf({}, {}, true)).toEqual([]);
  expect(defaultRule('low', true).roles).toEqual([]);
});

test('presets are offered only for kinds of alerts for which there is no rule yet (16.8e)', () => {
  expect(kindsWithoutRule([{ kind: 'low' }, { kind: 'silent' }], false, true)).toEqual(
    OFFERED_ALERT_KINDS.filter((kind) => kind !== 'low' && kind !== 'silent' && !isOperatorKind(kind)),
  );
  expect(kindsWithoutRule([{ kind: 'disk' }], true, true)).toEqual(
    OFFERED_ALERT_KINDS.filter((kind) => kind !== 'disk' && isOperatorKind(kind)),
  );
});

test('rules about movements are not offered to a user who sees no routes (13.12d)', () => {
  const offered = offeredKinds(false, false);
  expect(offeredKinds(false, true).filter((kind) => !offered.includes(kind))).toEqual([
    'moved',
    'arrived',
    'left',
  ]);
});

test('the form reads a typed number with a decimal comma, and only the settings of the chosen kind of alert (16.8e)', () => {
  expect(parseSettings('silent', { threshold: '1,5', hold: '3' })).toEqual({ threshold: 1.5 });
});
