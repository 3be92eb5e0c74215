/** A rule as the form has it, and what is wrong with it. */

import type { alertsApi } from '#shared/contract/alerts.ts';
import type { CallInput } from '#shared/contract/endpoint.ts';
import {
  type AlertKind,
  defaultSettings,
  defaultSeverity,
  isOperatorKind,
  kindDefinition,
  OFFERED_KINDS,
  type RuleSettings,
  SETTING_NAMES,
  type SettingName,
  settingErrors,
} from '#shared/domain/alerts/kinds.ts';
import { isMovement } from '#shared/domain/alerts/movement.ts';
import { exactNumber } from '#shared/domain/nl.ts';
import { readNumber } from '#shared/domain/typed-number.ts';
import type { InputError } from '#web/ui/input-errors.ts';

type Saved = CallInput<(typeof alertsApi)['POST /api/alert-rule/save']>['body'];
export type RuleFields = Omit<Saved, '_id' | 'isOwn' | 'organization'>;

/** What is usual for a kind: of all machines, told to beheerders, or to oneself; of the portal itself to administrators. */
export const usualRule = (kind: AlertKind, isOwn: boolean): RuleFields => ({
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

/** The kinds that a rule may have: of the portal itself, or of machines; no movements for who sees no routes. */
export const kindsFor = (isOfPortal: boolean, seesRoutes: boolean): readonly AlertKind[] =>
  OFFERED_KINDS.filter((kind) => isOperatorKind(kind) === isOfPortal && (seesRoutes || !isMovement(kind)));

/** Those of them that none of these rules is of. */
export const kindsWithout = (
  rules: readonly Pick<RuleFields, 'kind'>[],
  isOfPortal: boolean,
  seesRoutes: boolean,
): readonly AlertKind[] =>
  kindsFor(isOfPortal, seesRoutes).filter((kind) => rules.every((rule) => rule.kind !== kind));

/** What stands in the fields of its numbers. */
export type TypedSettings = Readonly<Partial<Record<SettingName, string>>>;

export const typedOf = (settings: RuleSettings): TypedSettings =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : [[name, exactNumber(value)]];
    }),
  );

/** The numbers as they were typed; undefined where one is none. */
export const settingsOf = (kind: AlertKind, typed: TypedSettings): RuleSettings =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => kindDefinition(kind).settings[name]).map((name) => [
      name,
      readNumber(typed[name] ?? ''),
    ]),
  );

type Question = Pick<RuleFields, 'kind' | 'settings' | 'hours' | 'machines'>;
type Asked = Omit<Question, 'settings'> & { readonly typed: TypedSettings };

/** What a rule looks for. */
export const questionOf = ({ kind, hours, machines, typed }: Asked): Question => ({
  kind,
  settings: settingsOf(kind, typed),
  hours: kindDefinition(kind).hasOwnHours ? 'always' : hours,
  machines,
});

const QUESTION_FIELDS: ReadonlySet<string> = new Set<string>(['machines', ...SETTING_NAMES]);
/** Whether it lacks nothing of what it looks for. */
export const isQuestion = (fields: Checked): boolean =>
  ruleFaults(fields).every(({ name }) => name === undefined || !QUESTION_FIELDS.has(name));

type Checked = Omit<RuleFields, 'settings'> & { readonly typed: TypedSettings; readonly isOwn: boolean };

/** All that is wrong, in the order of the form. */
export function ruleFaults({ ruleName, kind, machines, typed, people, roles, isOwn }: Checked): InputError[] {
  const faults: InputError[] = [];
  const add = (name: string, word: string, what: string): void => {
    faults.push({ name, word, message: `${word} ${what}.` });
  };
  if (ruleName.trim() === '') add('ruleName', 'Naam', 'ontbreekt');
  if (machines.by !== 'all') {
    const picked = machines.by === 'chosen' ? machines.serials : machines.ids;
    if (picked.length === 0)
      faults.push({ name: 'machines', word: 'Machines', message: MACHINE_WORDS[machines.by].missing });
  }
  const { settings } = kindDefinition(kind);
  for (const { setting, message } of settingErrors(kind, settingsOf(kind, typed))) {
    const isNoNumber = message === 'ontbreekt' && (typed[setting] ?? '').trim() !== '';
    add(setting, settings[setting]?.word ?? setting, isNoNumber ? 'is een getal, zoals 20' : message);
  }
  if (!isOwn && people.length === 0 && roles.length === 0)
    faults.push({
      name: 'people',
      word: 'Wie het hoort',
      message: 'Kies wie het hoort: een rol, of mensen.',
    });
  return faults;
}

/** How machines are chosen, what to choose them by is called, and what is said when none is. */
export const MACHINE_WORDS = {
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
export type MachinesBy = keyof typeof MACHINE_WORDS;
export const MACHINES_BY = Object.keys(MACHINE_WORDS) as MachinesBy[];
