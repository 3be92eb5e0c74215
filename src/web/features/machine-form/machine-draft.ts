/** The values of the machine form, as typed texts until they are sent (MEDIT-01, MEDIT-07). */
import type { MachineDetails, MachineInput } from '#shared/contract/machines.ts';
import { addAccessory } from '#shared/domain/accessories.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import type { InputError } from '#web/ui/input-errors.ts';
import {
  type DraftRules,
  FIELDS,
  type Field,
  type FieldName,
  FORM_ORDER,
  type TypedAccessory,
} from './machine-fields.ts';

type Fields = typeof FIELDS;
export type MachineDraft = { readonly [Name in FieldName]: Fields[Name]['empty'] } & TypedAccessory & {
    /** Kind of logger of a new machine. */
    readonly loggerKind: LoggerKind;
  };

const EACH = Object.entries<Field<keyof MachineInput, unknown>>(FIELDS) as [
  FieldName,
  Field<keyof MachineInput, unknown>,
][];
const OTHER_FIELDS = { accessoryName: '', accessoryNumber: '', loggerKind: 'rexgen' } as const;

export const EMPTY_DRAFT = {
  ...Object.fromEntries(EACH.map(([name, { empty }]) => [name, empty])),
  ...OTHER_FIELDS,
} as MachineDraft;

export const machineDraftOf = (machine: MachineDetails) =>
  ({
    ...Object.fromEntries(EACH.map(([name, field]) => [name, field.fromMachine(machine)])),
    ...OTHER_FIELDS,
  }) as MachineDraft;

/** Returns all errors of the form, in the order of its fields. */
export const draftErrors = (draft: MachineDraft, rules: DraftRules): readonly InputError[] =>
  FORM_ORDER.flatMap((field) => {
    const { name, word, label, check } = FIELDS[field] as Field<keyof MachineInput, unknown>;
    const message = check?.(draft[field], rules);
    const ruleLabel = field === 'loggerSerial' ? label?.(rules) : undefined;
    return message === undefined ? [] : [{ name, word: ruleLabel ?? word, message }];
  });

/** Maps each parameter of the calls that create and edit a machine to the name of its input. */
export const INPUT_NAMES: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  EACH.map(([, { wire, name }]) => [wire, name]),
);

/** Returns the parameters of the calls that create and edit a machine. */
export const machineParameters = (draft: MachineDraft) =>
  Object.fromEntries(EACH.map(([name, field]) => [field.wire, field.toWire(draft[name], draft)])) as {
    [Name in FieldName as Fields[Name]['wire']]: string;
  };

/** Returns a message if the inputs hold an incomplete accessory, which was not sent; else undefined. */
export function unsentAccessoryText({ accessoryName, accessoryNumber }: TypedAccessory): string | undefined {
  const name = accessoryName.trim();
  if (name === '' || addAccessory([], name, accessoryNumber) !== undefined) return undefined;
  return `Hulpstuk ‘${name}’ is niet toegevoegd: het had geen geheel getal als nummer.`;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isChanged = (draft: MachineDraft, base: MachineDraft): boolean => !isSame(draft, base);

/** Returns the labels of the fields in which two drafts differ. */
export const differingFieldLabels = (one: MachineDraft, other: MachineDraft): string[] =>
  EACH.filter(([name]) => !isSame(one[name], other[name])).map(([, { word }]) => word);

/** Returns the draft rebased on `fresh`: fields changed since `base` stay as typed, all others come from `fresh`. */
export function rebaseMachineDraft(
  draft: MachineDraft,
  base: MachineDraft,
  fresh: MachineDraft,
): MachineDraft {
  const names = Object.keys(draft) as (keyof MachineDraft)[];
  const untouched = names.filter((name) => isSame(draft[name], base[name]));
  return { ...draft, ...Object.fromEntries(untouched.map((name) => [name, fresh[name]])) };
}

/** The typed values, and the record on which they are based. */
export type MachineEditing = { readonly base: MachineDetails; readonly draft: MachineDraft };

/**
 * Returns the form after the record was reloaded. An unchanged form takes the new record. A changed form takes only
 * the logger and the owner of the new record, which this form cannot change; a conflict in other fields is shown when
 * the form is saved.
 */
export function editingAfterReload({ base, draft }: MachineEditing, machine: MachineDetails): MachineEditing {
  if (!isChanged(draft, machineDraftOf(base))) return { base: machine, draft: machineDraftOf(machine) };
  const { loggerId, organization, cleanorg } = machine;
  return {
    base: { ...base, loggerId, organization, cleanorg },
    draft: { ...draft, loggerSerial: loggerId, organization },
  };
}
