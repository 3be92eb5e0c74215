import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useState } from 'react';
import styles from './decimal-field.module.css';

type DecimalFieldProps = {
  readonly label: 'Factor' | 'Offset';
  /** What it belongs to, for a screen reader. */
  readonly of: string;
  readonly placeholder: string;
  readonly value: string;
  readonly fault: (text: string) => string | undefined;
  /** Show a fault before the field was left. */
  readonly isChecked: boolean;
  readonly onChange: (value: string) => void;
};

/** A number as a Dutch person types it. What is wrong with it is said once the field was left. */
export function DecimalField(props: DecimalFieldProps) {
  const { label, of, placeholder, value, fault, isChecked, onChange } = props;
  const [wasLeft, setWasLeft] = useState(false);
  return (
    <TextInput
      className={styles.field!}
      label={label}
      aria-label={`${label} voor ${of}`}
      placeholder={placeholder}
      size="md"
      inputMode="text"
      autoComplete="off"
      maxLength={30}
      value={value}
      error={wasLeft || isChecked ? fault(value) : undefined}
      onBlur={() => setWasLeft(true)}
      onFocus={() => setWasLeft(false)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
