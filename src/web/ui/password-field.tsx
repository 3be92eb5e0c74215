import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import type { RefObject } from 'react';
import { GOOD_LENGTH, SHORTEST_PASSWORD } from '#shared/domain/new-password.ts';

type PasswordFieldProps = {
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly label?: string;
  readonly name?: string;
  /** What it must be, and had better be, stands below it. Whatever is pasted comes in whole. */
  readonly isNew?: boolean;
};

/** For the password that an account has, or for a new one. */
export function PasswordField({
  field,
  label = 'Wachtwoord',
  name = 'password',
  isNew = false,
}: PasswordFieldProps) {
  return (
    <PasswordInput
      ref={field}
      label={label}
      name={name}
      required
      withAsterisk={false}
      size="md"
      visibilityToggleButtonProps={{ 'aria-label': 'Wachtwoord tonen', tabIndex: 0 }}
      {...(isNew ? OF_A_NEW_ONE : { autoComplete: 'current-password', maxLength: 1024 })}
    />
  );
}

const OF_A_NEW_ONE = {
  autoComplete: 'new-password',
  description: `Minstens ${SHORTEST_PASSWORD} tekens, liever ${GOOD_LENGTH} of meer. Een korte zin is sterk en makkelijk te onthouden.`,
};
