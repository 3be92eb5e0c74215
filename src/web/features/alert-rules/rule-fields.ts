/** The values of the rule form, their defaults and their errors. */

import type { alertsApi } from '#shared/contract/alerts.ts';
import type { CallInput } from '#shared/contract/endpoint.ts';
import { type RuleSettings, SETTING_NAMES, type SettingName } from '#shared/domain/alerts/kinds/kind.ts';
import {
  type AlertKind,
  defaultSettings,
  defaultSeverity,
  isOperatorKind,
  kindDefinition,
  OFFERED_ALERT_KINDS,
  settingErrors,
} from '#shared/domain/alerts/kinds.ts';
import { isMovementKind } from '#shared/domain/alerts/movement.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import type { InputError } from '#web/ui/input-errors.ts';

type Saved = CallInput<(typeof alertsApi)['POST /api/alert-rule/save']>['body'];
export type RuleFields = Omit<Saved, '_id' | 'isOwn' | 'organization'>;

/** A rule to save. Without `_id` the rule is new; `organization` is given only by an administrator. */
export type SavedRule = RuleFields & {
  readonly _id?: number;
  readonly isOwn: boolean;
  readonly organization?: string;
};

/**
 * Returns the default rule of a kind: for all machines, and notifying the beheerders. An own rule notifies only its owner, a rule
 * about the portal itself the administrators.
 */
export const defaultRule = (kind: AlertKind, isOwn: boolean): RuleFields => ({
  ruleName: kindDefinition(kind).word,
  kind,
  settings: defaultSettings(kind),
  hours: 'always',
  machines: { by: 'all' },
  severity: defaultSeverity(kind),
  people: [],
  roles: isOwn ? [] : [isOperatorKind(kind) ? 'administrator' : 'beheerder'],
  tellsEnd: false,
  isOn: true,
});

/** Returns the alert kinds about the portal itself or about machines; for users who see no routes without those about movements. */
export const offeredKinds = (isOfPortal: boolean, seesRoutes: boolean): readonly AlertKind[] =>
  OFFERED_ALERT_KINDS.filter(
    (kind) => isOperatorKind(kind) === isOfPortal && (seesRoutes || !isMovementKind(kind)),
  );

/** Returns the offered kinds for which `rules` has no rule. */
export const kindsWithoutRule = (
  rules: readonly Pick<RuleFields, 'kind'>[],
  isOfPortal: boolean,
  seesRoutes: boolean,
): readonly AlertKind[] =>
  offeredKinds(isOfPortal, seesRoutes).filter((kind) => rules.every((rule) => rule.kind !== kind));

/** The texts typed in the number fields, by the name of the setting. */
export type TypedSettings = Readonly<Partial<Record<SettingName, string>>>;

export const formatSettings = (settings: RuleSettings): TypedSettings =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : [[name, formatExactNumber(value)]];
    }),
  );

/** Parses the number fields of a kind; a text that is no number gives undefined. */
export const parseSettings = (kind: AlertKind, typed: TypedSettings): RuleSettings =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => kindDefinition(kind).settings[name]).map((name) => [
      name,
      parseTypedNumber(typed[name] ?? ''),
    ]),
  );

type Condition = Pick<RuleFields, 'kind' | 'settings' | 'hours' | 'machines'>;
type ConditionFields = Omit<Condition, 'settings'> & { readonly typed: TypedSettings };

/** Returns the part of the form that decides when the rule fires. */
export const conditionOf = ({ kind, hours, machines, typed }: ConditionFields): Condition => ({
  kind,
  settings: parseSettings(kind, typed),
  hours: kindDefinition(kind).hasOwnHours ? 'always' : hours,
  machines,
});

const CONDITION_FIELDS: ReadonlySet<string> = new Set<string>(['machines', ...SETTING_NAMES]);
/** Returns whether the fields that decide when the rule fires have no errors. */
export const isConditionValid = (fields: Checked): boolean =>
  ruleErrors(fields).every(({ name }) => name === undefined || !CONDITION_FIELDS.has(name));

type Checked = Omit<RuleFields, 'settings'> & { readonly typed: TypedSettings; readonly isOwn: boolean };

/** Returns all errors of the form, in the order of its fields. */
export function ruleErrors({ ruleName, kind, machines, typed, people, roles, isOwn }: Checked): InputError[] {
  const errors: InputError[] = [];
  const add = (name: string, word: string, what: string): void => {
    errors.push({ name, word, message: `${word} ${what}.` });
  };
  if (ruleName.trim() === '') add('ruleName', 'Naam', 'ontbreekt');
  if (machines.by !== 'all') {
    const picked = machines.by === 'chosen' ? machines.serials : machines.ids;
    if (picked.length === 0)
      errors.push({
        name: 'machines',
        word: 'Machines',
        message: MACHINE_SELECTION_TEXTS[machines.by].missing,
      });
  }
  const { settings } = kindDefinition(kind);
  for (const { setting, message } of settingErrors(kind, parseSettings(kind, typed))) {
    const isNoNumber = message === 'ontbreekt' && (typed[setting] ?? '').trim() !== '';
    add(setting, settings[setting]?.word ?? setting, isNoNumber ? 'is een getal, zoals 20' : message);
  }
  if (!isOwn && people.length === 0 && roles.length === 0)
    errors.push({
      name: 'people',
      word: 'Wie de meldingen krijgt',
      message: 'Kies wie de meldingen krijgt: een rol, of mensen.',
    });
  return errors;
}

/** Texts for each way to choose a rule's machines: name of the option, label and placeholder of the list, error if nothing is chosen. */
export const MACHINE_SELECTION_TEXTS = {
  all: { label: 'Alle machines', list: '', none: '', missing: '' },
  labels: {
    label: 'Met een label',
    list: 'Labels',
    none: 'Kies labels',
    missing: 'Kies minstens één label.',
  },
  projects: {
    label: 'Op een project',
    list: 'Projecten',
    none: 'Kies projecten',
    missing: 'Kies minstens één project.',
  },
  terreinen: {
    label: 'Op een terrein',
    list: 'Terreinen',
    none: 'Kies terreinen',
    missing: 'Kies minstens één terrein.',
  },
  chosen: {
    label: 'Zelf gekozen',
    list: 'Gekozen machines',
    none: 'Kies machines',
    missing: 'Kies minstens één machine.',
  },
} as const;
export type MachineSelection = keyof typeof MACHINE_SELECTION_TEXTS;
export const MACHINE_SELECTIONS = Object.keys(MACHINE_SELECTION_TEXTS) as MachineSelection[];
