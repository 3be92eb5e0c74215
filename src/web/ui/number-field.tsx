import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import { exactNumber } from '#shared/domain/nl.ts';
import { type NumberRules, readNumber } from '#shared/domain/typed-number.ts';
import { CALM } from './form-input.tsx';
import { useInputError } from './input-errors.ts';

type NumberFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  /** Behind the number that was understood. */
  readonly unit?: string;
  readonly rules?: NumberRules;
  /** As typed. */
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (text: string) => void;
};

/** A field for a number. Whatever is typed with more than digits is shown below it as the portal reads it (52.9). */
export function NumberField(props: NumberFieldProps) {
  const { unit, rules, value, defaultValue, onChange, description, ...input } = props;
  const [typed, setTyped] = useState(defaultValue ?? '');
  const fault = useInputError(props.name);
  const understood = understoodAs(value ?? typed, rules, unit);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      size="md"
      error={fault}
      {...input}
      {...(value === undefined ? { defaultValue } : { value })}
      withAsterisk={false}
      styles={CALM}
      description={
        understood === undefined ? (
          description
        ) : (
          <>
            {description && <>{description}. </>}
            {understood}
          </>
        )
      }
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange?.(currentTarget.value);
      }}
    />
  );
}

/** 'Gelezen als 1234,5 uur', without thousands, so that it can be read in one way; undefined for digits alone. */
export function understoodAs(text: string, rules?: NumberRules, unit?: string): string | undefined {
  if (/^\d*$/.test(text.trim())) return undefined;
  const number = readNumber(text, rules);
  return number === undefined
    ? undefined
    : `Gelezen als ${exactNumber(number)}${unit === undefined ? '' : ` ${unit}`}`;
}
