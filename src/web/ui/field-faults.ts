/** What is wrong with the fields of a form: below each field, and in short beside the button. */
import { createContext, useContext } from 'react';
import { fieldWord } from '#shared/domain/field-texts.ts';
import { ApiError } from '#web/lib/api.ts';

export type FieldFault = {
  /** Of the input that it stands below; undefined where there is none for it. */
  readonly name: string | undefined;
  /** What the field is called. */
  readonly word: string;
  /** A sentence that says it by itself. */
  readonly message: string;
};

/** Those of the form that the field is in. */
export const FieldFaults = createContext<readonly FieldFault[]>([]);

/** The sentence below the input of that name. */
export const useFieldFault = (name: string | undefined): string | undefined =>
  useContext(FieldFaults).find((fault) => name !== undefined && fault.name === name)?.message;

/** What the server found wrong, field by field; undefined when it is about something else. */
export function faultsIn(
  error: unknown,
  inputNames: Readonly<Record<string, string | undefined>> = {},
): readonly FieldFault[] | undefined {
  if (!(error instanceof ApiError) || error.faults.length === 0) return undefined;
  return error.faults.map(({ field, message }) => ({
    name: Object.hasOwn(inputNames, field) ? inputNames[field] : field,
    word: fieldWord(field),
    message,
  }));
}

/** Beside the button: which fields it is about, and the sentences that stand below none. */
export function faultsInWords(faults: readonly FieldFault[]): string | undefined {
  if (faults.length === 0) return undefined;
  const below = faults.filter(({ name }) => name !== undefined).map(({ word }) => word);
  const others = faults.filter(({ name }) => name === undefined).map(({ message }) => message);
  const which = below.length > 0 ? [`Kijk nog even naar: ${below.join(', ')}.`] : [];
  return [...which, ...others].join(' ');
}
