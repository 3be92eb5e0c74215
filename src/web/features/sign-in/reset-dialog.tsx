import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { newPasswordFault } from '#shared/domain/new-password.ts';
import { call } from '#web/lib/api.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmailField, NewPasswordField } from './fields.tsx';
import styles from './sign-in-page.module.css';

/** English: AUTH-05's and AUTH-06's own words. */
const CODE_SENT = 'A reset code has been sent to your email.';
const CODE_FAILED = 'Failed to send reset code. Please try again.';
const RESET_FAILED = 'Failed to reset password. Please check the code and try again.';

type ResetDialogProps = {
  /** Begins as what was typed in the sign-in form, and goes back there. */
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** 'Wachtwoord Vergeten?': a code by mail, then the code and a new password (AUTH-06). */
export function ResetDialog({ email, onEmail, onClose, onDone }: ResetDialogProps) {
  const [isSent, setSent] = useState(false);
  return (
    <Dialog title="Wachtwoord vergeten" onClose={onClose}>
      <div className={styles.steps}>
        <Notice>{isSent ? CODE_SENT : undefined}</Notice>
        {isSent ? (
          <CodeStep email={email} onDone={onDone} onAgain={() => setSent(false)} />
        ) : (
          <EmailStep email={email} onEmail={onEmail} onSent={() => setSent(true)} />
        )}
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </div>
    </Dialog>
  );
}

type EmailStepProps = Pick<ResetDialogProps, 'email' | 'onEmail'> & { readonly onSent: () => void };

function EmailStep({ email, onEmail, onSent }: EmailStepProps) {
  const sendCode = async (): Promise<void> => {
    await call('POST /api/auth/forgot-password', { body: { email: email.trim() } });
    onSent();
  };
  return (
    <>
      <p className={styles.why}>
        We sturen een code naar je e-mailadres. Daarmee kies je een nieuw wachtwoord.
      </p>
      <Form submit="Verstuur code" fallback={CODE_FAILED} onSubmit={sendCode}>
        <EmailField value={email} onChange={onEmail} />
      </Form>
    </>
  );
}

type CodeStepProps = { readonly email: string; readonly onDone: () => void; readonly onAgain: () => void };

function CodeStep({ email, onDone, onAgain }: CodeStepProps) {
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => code.current?.focus(), []);
  const reset = async (fields: FormData): Promise<void> => {
    await call('POST /api/auth/reset-password-with-code', {
      body: {
        email: email.trim(),
        code: String(fields.get('code')),
        newPassword: String(fields.get('newPassword')),
      },
    });
    onDone();
  };
  return (
    <>
      <Form
        submit="Wachtwoord wijzigen"
        fallback={RESET_FAILED}
        check={(fields) => newPasswordFault(String(fields.get('newPassword')))}
        onSubmit={reset}
      >
        <EmailField value={email} />
        <TextInput
          ref={code}
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          withAsterisk={false}
          maxLength={100}
          size="md"
        />
        <NewPasswordField label="Nieuw wachtwoord" name="newPassword" />
      </Form>
      <Button variant="subtle" size="md" fullWidth onClick={onAgain}>
        Geen code ontvangen?
      </Button>
    </>
  );
}
