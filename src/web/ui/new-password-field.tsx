import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import type { RefObject } from 'react';
import { GOOD_LENGTH, SHORTEST_PASSWORD } from '#shared/domain/new-password.ts';

type NewPasswordFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly field?: RefObject<HTMLInputElement | null>;
};

/** For a new password; what it must be, and had better be, stands below it. Whatever is pasted comes in whole. */
export function NewPasswordField({ label, name, field }: NewPasswordFieldProps) {
  return (
    <PasswordInput
      ref={field}
      label={label}
      name={name}
      required
      withAsterisk={false}
      size="md"
      autoComplete="new-password"
      description={`Minstens ${SHORTEST_PASSWORD} tekens, liever ${GOOD_LENGTH} of meer. Een korte zin is sterk en makkelijk te onthouden.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visibilityToggleButtonProps={{ 'aria-label': 'Wachtwoord tonen', tabIndex: 0 }}
    />
  );
}
