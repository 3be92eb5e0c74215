/** Form fields for signing in, registering and resetting a password. */
import { PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import type { RefObject } from 'react';

type EmailFieldProps = {
  readonly value: string;
  /** Without `onChange` the field is read-only. */
  readonly onChange?: (email: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
};

export function EmailField({ value, onChange, field }: EmailFieldProps) {
  return (
    <TextInput
      ref={field}
      label="E-mailadres"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
      maxLength={254}
      size="md"
      value={value}
      readOnly={onChange === undefined}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
    />
  );
}

/** An input for repeating a new password. */
export function RepeatedPasswordField({ name }: { readonly name: string }) {
  return (
    <PasswordInput
      label="Herhaal wachtwoord"
      name={name}
      required
      withAsterisk={false}
      size="md"
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': 'Wachtwoord tonen', tabIndex: 0 }}
    />
  );
}
