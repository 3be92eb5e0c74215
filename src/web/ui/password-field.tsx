import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import type { RefObject } from 'react';

type PasswordFieldProps = {
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly label?: string;
  readonly name?: string;
};

/** For the password that an account has. */
export function PasswordField({ field, label = 'Wachtwoord', name = 'password' }: PasswordFieldProps) {
  return (
    <PasswordInput
      ref={field}
      label={label}
      name={name}
      required
      withAsterisk={false}
      size="md"
      autoComplete="current-password"
      maxLength={1024}
      visibilityToggleButtonProps={{ 'aria-label': 'Wachtwoord tonen', tabIndex: 0 }}
    />
  );
}
