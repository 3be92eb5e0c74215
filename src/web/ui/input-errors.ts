/** The errors of a form's inputs: shown below each input, and summarized beside the button. */
import { createContext, useContext } from 'react';
import { fieldLabel } from '#shared/domain/field-texts.ts';
import { ApiError } from '#web/lib/api.ts';

export type InputError = {
  /** Name of the input below which the error is shown; undefined: the form has no such input. */
  readonly name: string | undefined;
  /** Dutch name of the field. */
  readonly word: string;
  /** The error, as a whole Dutch sentence. */
  readonly message: string;
};

/** The errors of the form around an input. */
export const InputErrors = createContext<readonly InputError[]>([]);

/** Returns the error of the input with this name. */
export const useInputError = (name: string | undefined): string | undefined =>
  useContext(InputErrors).find((error) => name !== undefined && error.name === name)?.message;

/**
 * Returns the field errors of a failed call; undefined when the failure is not about fields.
 * @param inputNames maps a field of the call to the name of its input, for inputs whose name differs from the field; to
 * undefined if the form has no input for the field
 */
export function inputErrorsOf(
  error: unknown,
  inputNames: Readonly<Record<string, string | undefined>> = {},
): readonly InputError[] | undefined {
  if (!(error instanceof ApiError) || error.faults.length === 0) return undefined;
  return error.faults.map(({ field, message }) => ({
    name: Object.hasOwn(inputNames, field) ? inputNames[field] : field,
    word: fieldLabel(field),
    message,
  }));
}

/** Returns the summary beside the button: the names of the inputs with errors, and the errors that have no input. */
export function inputErrorsText(errors: readonly InputError[]): string | undefined {
  if (errors.length === 0) return undefined;
  const below = errors.filter(({ name }) => name !== undefined).map(({ word }) => word);
  const others = errors.filter(({ name }) => name === undefined).map(({ message }) => message);
  const which = below.length > 0 ? [`Kijk nog even naar: ${below.join(', ')}.`] : [];
  return [...which, ...others].join(' ');
}
