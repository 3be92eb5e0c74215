import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import type { RefObject } from 'react';
import { MIN_PASSWORD_CHARACTERS, RECOMMENDED_PASSWORD_LENGTH } from '#shared/domain/new-password.ts';

type PasswordFieldProps = {
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly label?: string;
  readonly name?: string;
  /**
   * Whether the field is for a new password: it then shows the rules, and has no maximum length, so that a long
   * pasted text is not cut off.
   */
  readonly isNew?: boolean;
};

/** An input for the current password of an account, or for a new one. */
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
      {...(isNew ? NEW_PASSWORD_PROPS : { autoComplete: 'current-password', maxLength: 1024 })}
    />
  );
}

const NEW_PASSWORD_PROPS = {
  autoComplete: 'new-password',
  description: `Minstens ${MIN_PASSWORD_CHARACTERS} tekens, liever ${RECOMMENDED_PASSWORD_LENGTH} of meer. Een korte zin is sterk en makkelijk te onthouden.`,
};
