/** What stands in the machine form: texts as they are typed, until they are sent (MEDIT-01, MEDIT-07). */
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
  type HalfAccessory,
} from './machine-fields.ts';

type Fields = typeof FIELDS;
export type MachineDraft = { readonly [Name in FieldName]: Fields[Name]['empty'] } & HalfAccessory & {
    /** Kind of logger of a new machine. */
    readonly loggerKind: LoggerKind;
  };

const EACH = Object.entries<Field<keyof MachineInput, unknown>>(FIELDS) as [
  FieldName,
  Field<keyof MachineInput, unknown>,
][];
const BESIDE = { accessoryName: '', accessoryNumber: '', loggerKind: 'rexgen' } as const;

export const EMPTY_DRAFT = {
  ...Object.fromEntries(EACH.map(([name, { empty }]) => [name, empty])),
  ...BESIDE,
} as MachineDraft;

export const draftOf = (machine: MachineDetails) =>
  ({
    ...Object.fromEntries(EACH.map(([name, field]) => [name, field.of(machine)])),
    ...BESIDE,
  }) as MachineDraft;

/** All that cannot be sent, in the order of the form. */
export const draftFaults = (draft: MachineDraft, rules: DraftRules): readonly InputError[] =>
  FORM_ORDER.flatMap((field) => {
    const { name, word, label, fault } = FIELDS[field] as Field<keyof MachineInput, unknown>;
    const message = fault?.(draft[field], rules);
    const said = field === 'loggerSerial' ? label?.(rules) : undefined;
    return message === undefined ? [] : [{ name, word: said ?? word, message }];
  });

/** The names of the inputs, by those of the call. */
export const INPUT_NAMES: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  EACH.map(([, { wire, name }]) => [wire, name]),
);

/** What create and edit are sent. */
export const queryOf = (draft: MachineDraft) =>
  Object.fromEntries(EACH.map(([name, field]) => [field.wire, field.sent(draft[name], draft)])) as {
    [Name in FieldName as Fields[Name]['wire']]: string;
  };

/** A sentence about what still stands in the inputs and is no whole accessory: it was not sent. */
export function leftOver({ accessoryName, accessoryNumber }: HalfAccessory): string | undefined {
  const name = accessoryName.trim();
  if (name === '' || addAccessory([], name, accessoryNumber) !== undefined) return undefined;
  return `Hulpstuk ‘${name}’ is niet toegevoegd: het had geen geheel getal als nummer.`;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isChanged = (draft: MachineDraft, base: MachineDraft): boolean => !isSame(draft, base);

/** In words: the fields that differ. */
export const differences = (one: MachineDraft, other: MachineDraft): string[] =>
  EACH.filter(([name]) => !isSame(one[name], other[name])).map(([, { word }]) => word);

/** The draft upon `fresh` in place of `base`: what was typed stays, what was not touched becomes the fresh one's. */
export function rebased(draft: MachineDraft, base: MachineDraft, fresh: MachineDraft): MachineDraft {
  const names = Object.keys(draft) as (keyof MachineDraft)[];
  const untouched = names.filter((name) => isSame(draft[name], base[name]));
  return { ...draft, ...Object.fromEntries(untouched.map((name) => [name, fresh[name]])) };
}

/** What is typed, and the record that it was typed upon. */
export type Editing = { readonly base: MachineDetails; readonly draft: MachineDraft };

/**
 * Returns the form after the record was asked for again. An unchanged form becomes the new record. A changed form takes
 * over the logger and the owner only, because other acts set them; a conflict in other fields shows when it is saved.
 */
export function follow({ base, draft }: Editing, machine: MachineDetails): Editing {
  if (!isChanged(draft, draftOf(base))) return { base: machine, draft: draftOf(machine) };
  const { loggerId, organization, cleanorg } = machine;
  return {
    base: { ...base, loggerId, organization, cleanorg },
    draft: { ...draft, loggerSerial: loggerId, organization },
  };
}
