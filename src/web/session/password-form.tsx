import { useRef } from 'react';
import { newPasswordError } from '#shared/domain/new-password.ts';
import { callApi } from '#web/lib/api.ts';
import { Form } from '#web/ui/form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { useUser } from './user.ts';

/** Changes the user's own password. Calls `onDone` afterwards; the session remains valid. */
export function PasswordForm({ onDone }: { readonly onDone: () => void | Promise<void> }) {
  const { email } = useUser();
  const present = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const change = async (fields: FormData): Promise<void> => {
    await callApi('POST /api/account/password', {
      body: { present: String(fields.get('present')), new: String(fields.get('new')) },
    });
    for (const field of [present, next]) if (field.current) field.current.value = '';
    await onDone();
  };
  return (
    <Form
      submit="Wachtwoord wijzigen"
      fallback="Je wachtwoord is niet gewijzigd. Probeer het opnieuw."
      check={(fields) => newPasswordError(String(fields.get('new')))}
      onSubmit={change}
    >
      {/* Gives password managers the account's name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField field={present} label="Huidig wachtwoord" name="present" />
      <PasswordField isNew field={next} label="Nieuw wachtwoord" name="new" />
    </Form>
  );
}
