import { NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useFieldFault } from './field-faults.ts';

type Named = { readonly name: string };

/** A field of a form, with what is wrong with it below it. */
export const FormInput = (props: TextInputProps & Named) => (
  <TextInput {...props} withAsterisk={false} size="md" error={useFieldFault(props.name)} />
);

/** The same, with a choice. */
export const FormSelect = (props: NativeSelectProps & Named) => (
  <NativeSelect {...props} withAsterisk={false} size="md" error={useFieldFault(props.name)} />
);
