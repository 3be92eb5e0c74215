/** The fields that signing in, registering and resetting share. */
import { PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import { SHORTEST_PASSWORD } from '#shared/domain/new-password.ts';

type EmailFieldProps = {
  readonly value: string;
  /** Without it the field can only be read. */
  readonly onChange?: (email: string) => void;
};

export function EmailField({ value, onChange }: EmailFieldProps) {
  return (
    <TextInput
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

const SHOW = { 'aria-label': 'Wachtwoord tonen', tabIndex: 0 };
const PASSWORD = {
  required: true,
  withAsterisk: false,
  size: 'md',
  visibilityToggleButtonProps: SHOW,
} as const;

/** For a new one; how long it must be stands below it. */
export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <PasswordInput
      {...PASSWORD}
      label={label}
      name={name}
      autoComplete="new-password"
      description={`Minstens ${SHORTEST_PASSWORD} tekens`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}

/** The same once more. */
export function RepeatedPasswordField({ name }: { readonly name: string }) {
  return <PasswordInput {...PASSWORD} label="Herhaal wachtwoord" name={name} autoComplete="new-password" />;
}
