import { NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { CSSProperties } from 'react';
import { useInputError } from './input-errors.ts';

/** Keeps the text of an invalid input in its usual colour: a red placeholder would look like a value. */
export const INPUT_STYLES = {
  wrapper: {
    '--input-color': 'var(--mantine-color-text)',
    '--input-placeholder-color': 'var(--mantine-color-placeholder)',
  } as CSSProperties,
};

type Named = { readonly name: string };

/** A text input of a form, with its description and error below it. */
export const FormInput = (props: TextInputProps & Named) => (
  <TextInput
    {...props}
    withAsterisk={false}
    size="md"
    styles={INPUT_STYLES}
    error={useInputError(props.name)}
  />
);

/** A select of a form, with its description and error below it. */
export const FormSelect = (props: NativeSelectProps & Named) => (
  <NativeSelect
    {...props}
    withAsterisk={false}
    size="md"
    styles={INPUT_STYLES}
    error={useInputError(props.name)}
  />
);
