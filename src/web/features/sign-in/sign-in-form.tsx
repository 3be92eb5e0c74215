import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { signIn } from '#web/session/session.ts';
import { Form } from '#web/ui/form.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { LOGIN_FAILED, RESET_DONE } from './sentences.ts';
import styles from './sign-in-page.module.css';

type SignInFormProps = {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** What was done before, with which the password is all that is left to type. */
  readonly note: string | undefined;
  readonly onNote: (note: string | undefined) => void;
};

/** Email and password. On success the session changes, and the route goes on by itself. */
export function SignInForm({ email, onEmail, note, onNote }: SignInFormProps) {
  const client = useQueryClient();
  const password = useRef<HTMLInputElement>(null);
  const [isResetting, setResetting] = useState(false);
  useEffect(() => {
    if (note !== undefined) password.current?.focus();
  }, [note]);

  return (
    <>
      <Form
        submit="Inloggen"
        fallback={LOGIN_FAILED}
        onSubmit={(fields) => {
          onNote(undefined);
          return signIn(client, email.trim(), String(fields.get('password')));
        }}
      >
        <EmailField value={email} onChange={onEmail} />
        <PasswordField field={password} />
      </Form>
      <button type="button" className={styles.forgot} onClick={() => setResetting(true)}>
        Wachtwoord Vergeten?
      </button>
      {isResetting && (
        <ResetDialog
          email={email}
          onEmail={onEmail}
          onClose={() => setResetting(false)}
          onDone={() => {
            setResetting(false);
            onNote(RESET_DONE);
          }}
        />
      )}
    </>
  );
}
