import { TextInput } from '@mantine/core';
import { newPasswordError } from '#shared/domain/new-password.ts';
import { callApi } from '#web/lib/api.ts';
import { Form } from '#web/ui/form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { EmailField, RepeatedPasswordField } from './fields.tsx';

/** AUTH-05 and AUTH-06 prescribe these English texts. */
const REGISTRATION_FAILED = 'Registration failed. Please try again.';
const PASSWORDS_DIFFER = "Passwords don't match";

type RegisterFormProps = {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** Called with the server's message. */
  readonly onRegistered: (message: string) => void;
};

/** Form that creates an account in the organization that has the typed registration code (AUTH-01, AUTH-03, AUTH-04). */
export function RegisterForm({ email, onEmail, onRegistered }: RegisterFormProps) {
  const register = async (fields: FormData): Promise<void> => {
    const { message } = await callApi('POST /api/auth/register', {
      body: {
        email: email.trim(),
        password: String(fields.get('password')),
        organizationCode: String(fields.get('organizationCode')),
      },
    });
    onRegistered(message);
  };
  return (
    <Form submit="Registreren" fallback={REGISTRATION_FAILED} check={passwordError} onSubmit={register}>
      <EmailField value={email} onChange={onEmail} />
      <PasswordField isNew label="Wachtwoord" name="password" />
      <RepeatedPasswordField name="repeated" />
      <TextInput
        label="Organisatiecode"
        name="organizationCode"
        description="Die krijg je van je beheerder."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        withAsterisk={false}
        maxLength={100}
        size="md"
      />
    </Form>
  );
}

function passwordError(fields: FormData): string | undefined {
  const password = String(fields.get('password'));
  return password === fields.get('repeated') ? newPasswordError(password) : PASSWORDS_DIFFER;
}
