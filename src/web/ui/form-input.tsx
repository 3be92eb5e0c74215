import { NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { CSSProperties } from 'react';
import { useInputError } from './input-errors.ts';

/** What is typed, or could be, is not red: the edge and the sentence are enough, and an example looks like a value. */
export const CALM = {
  wrapper: {
    '--input-color': 'var(--mantine-color-text)',
    '--input-placeholder-color': 'var(--mantine-color-placeholder)',
  } as CSSProperties,
};

type Named = { readonly name: string };

/** A field of a form; what to know of it, and what is wrong with it, stand below it. */
export const FormInput = (props: TextInputProps & Named) => (
  <TextInput {...props} withAsterisk={false} size="md" styles={CALM} error={useInputError(props.name)} />
);

/** The same, with a choice. */
export const FormSelect = (props: NativeSelectProps & Named) => (
  <NativeSelect {...props} withAsterisk={false} size="md" styles={CALM} error={useInputError(props.name)} />
);
