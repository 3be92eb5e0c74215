import { expect, test } from 'vitest';
import { isOperatorKind, OFFERED_KINDS, settingErrors } from '#shared/domain/alerts/kinds.ts';
import {
  kindsFor,
  kindsWithout,
  type RuleFields,
  ruleFaults,
  settingsOf,
  type TypedSettings,
  typedOf,
  usualRule,
} from './rule-fields.ts';

const faultsOf = (change: Partial<RuleFields>, typed?: TypedSettings, isOwn = false) => {
  const rule = { ...usualRule('low', isOwn), ...change };
  return ruleFaults({ ...rule, typed: { ...typedOf(rule.settings), ...typed }, isOwn }).map(
    ({ name, message }) => [name, message],
  );
};

test.each(OFFERED_KINDS)('16.8e the ready rule of kind %s has nothing wrong with it', (kind) => {
  const rule = usualRule(kind, false);
  expect(settingErrors(kind, rule.settings)).toEqual([]);
  expect(settingsOf(kind, typedOf(rule.settings))).toEqual(rule.settings);
  expect(ruleFaults({ ...rule, typed: typedOf(rule.settings), isOwn: false })).toEqual([]);
});

test.each<[string, Partial<RuleFields>, TypedSettings, readonly (readonly [string, string])[]]>([
  ['nothing wrong', {}, {}, []],
  ['no name', { ruleName: '  ' }, {}, [['ruleName', 'Naam ontbreekt.']]],
  ['no label', { machines: { by: 'labels', ids: [] } }, {}, [['machines', 'Kies minstens één label.']]],
  [
    'no machine',
    { machines: { by: 'chosen', serials: [] } },
    {},
    [['machines', 'Kies minstens één machine.']],
  ],
  ['no number', {}, { threshold: 'veel' }, [['threshold', 'Onder is een getal, zoals 20.']]],
  ['an empty number', {}, { threshold: '' }, [['threshold', 'Onder ontbreekt.']]],
  ['out of bounds', {}, { threshold: '120' }, [['threshold', 'Onder moet tussen 1 en 99 % liggen.']]],
  ['a contradiction', {}, { clear: '10' }, [['clear', 'Voorbij vanaf mag niet onder de grens liggen.']]],
  ['nobody', { roles: [] }, {}, [['people', 'Kies wie het hoort: een rol, of mensen.']]],
  [
    'all at once, in the order of the form',
    { ruleName: '', roles: [] },
    { threshold: '0' },
    [
      ['ruleName', 'Naam ontbreekt.'],
      ['threshold', 'Onder moet tussen 1 en 99 % liggen.'],
      ['people', 'Kies wie het hoort: een rol, of mensen.'],
    ],
  ],
])('16.8f a rule with %s', (_, change, typed, expected) => {
  expect(faultsOf(change, typed)).toEqual(expected);
});

test('16.8f of one’s own rule nobody else is told', () => {
  expect(faultsOf({}, {}, true)).toEqual([]);
  expect(usualRule('low', true).roles).toEqual([]);
});

test('16.8e ready are the kinds that no rule is of', () => {
  expect(kindsWithout([{ kind: 'low' }, { kind: 'silent' }], false, true)).toEqual(
    OFFERED_KINDS.filter((kind) => kind !== 'low' && kind !== 'silent' && !isOperatorKind(kind)),
  );
  expect(kindsWithout([{ kind: 'disk' }], true, true)).toEqual(
    OFFERED_KINDS.filter((kind) => kind !== 'disk' && isOperatorKind(kind)),
  );
});

test('13.12d offers no rules of movements to who sees no routes', () => {
  const offered = kindsFor(false, false);
  expect(kindsFor(false, true).filter((kind) => !offered.includes(kind))).toEqual([
    'moved',
    'arrived',
    'left',
  ]);
});

test('16.8e reads numbers that were typed with a comma', () => {
  expect(settingsOf('silent', { threshold: '1,5', hold: '3' })).toEqual({ threshold: 1.5 });
});
