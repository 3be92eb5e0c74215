import { TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { type NumberRules, parseTypedNumber } from '#shared/domain/typed-number.ts';
import { INPUT_STYLES } from './form-input.tsx';
import { useInputError } from './input-errors.ts';

type NumberFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  /** Unit shown after the parsed number. */
  readonly unit?: string;
  readonly rules?: NumberRules;
  /** The text as typed. */
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (text: string) => void;
};

/** An input for a number. Shows below it how the portal parses a text that is more than digits (52.9). */
export function NumberField(props: NumberFieldProps) {
  const { unit, rules, value, defaultValue, onChange, description, ...input } = props;
  const [typed, setTyped] = useState(defaultValue ?? '');
  const error = useInputError(props.name);
  const understood = parsedNumberText(value ?? typed, rules, unit);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      size="md"
      error={error}
      {...input}
      {...(value === undefined ? { defaultValue } : { value })}
      withAsterisk={false}
      styles={INPUT_STYLES}
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

/** Returns 'Gelezen als 1234,5 uur', without thousands separators; undefined for digits alone and for a text that is no number. */
export function parsedNumberText(text: string, rules?: NumberRules, unit?: string): string | undefined {
  if (/^\d*$/.test(text.trim())) return undefined;
  const number = parseTypedNumber(text, rules);
  return number === undefined
    ? undefined
    : `Gelezen als ${formatExactNumber(number)}${unit === undefined ? '' : ` ${unit}`}`;
}
