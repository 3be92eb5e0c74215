import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { newPasswordError } from '#shared/domain/new-password.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { EmailField } from './fields.tsx';

/** AUTH-05 and AUTH-06 prescribe these English texts. */
const CODE_FAILED = 'Failed to send reset code. Please try again.';
const RESET_FAILED = 'Failed to reset password. Please check the code and try again.';

type ResetDialogProps = {
  /** The address in the sign-in form, which this dialog shares. */
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** Token of a mailed link. */
  readonly token: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
};

/**
 * 'Wachtwoord Vergeten?': sends a mail, then asks for the mailed code and a new password. The link in the mail opens the
 * dialog at the new password (AUTH-06).
 */
export function ResetDialog({ email, onEmail, token, onClose, onDone }: ResetDialogProps) {
  const [sent, setSent] = useState<Sent>();
  const isSent = sent !== undefined;
  const link = useLink(token);
  const step = isSent ? 'code' : token === undefined || link.refusal !== undefined ? 'email' : 'link';
  return (
    <Dialog title={step === 'link' ? 'Kies een nieuw wachtwoord' : 'Wachtwoord vergeten'} onClose={onClose}>
      <div className="stack">
        <Notice>{sent?.message}</Notice>
        {sent?.note !== undefined && <p>{sent.note}</p>}
        {token !== undefined && <FailureAlert>{isSent ? undefined : link.refusal}</FailureAlert>}
        {step === 'email' && <EmailStep email={email} onEmail={onEmail} onSent={setSent} />}
        {step === 'code' && <CodeStep email={email} onDone={onDone} onAgain={() => setSent(undefined)} />}
        {step === 'link' && <RetryAlert query={link.query} fallback="De link is nog niet bekeken." />}
        {step === 'link' && link.email !== undefined && (
          <LinkStep
            email={link.email}
            token={token ?? ''}
            onDone={() => {
              onEmail(link.email ?? '');
              return onDone();
            }}
          />
        )}
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Looks up the account of a mailed link; `refusal`: the link was used or has expired. A mutation, not a query: the end of a
 * session removes all queries.
 */
function useLink(token: string | undefined) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (mailed: string) => callApi('POST /api/auth/reset-link', { body: { token: mailed } }),
  });
  const lookUp = useCallback(async () => {
    if (token !== undefined) mutate(token);
  }, [token, mutate]);
  useEffect(() => void lookUp(), [lookUp]);
  const refusal = error instanceof ApiError && error.code === 'invalid' ? error.message : undefined;
  return { query: { error, isFetching: isPending, refetch: lookUp }, email: data?.email, refusal };
}

/** The server's response, which is the same for every address. `note`: whom to ask if the portal sends no mail. */
type Sent = { readonly message: string; readonly note?: string | undefined };

type EmailStepProps = Pick<ResetDialogProps, 'email' | 'onEmail'> & {
  readonly onSent: (sent: Sent) => void;
};

function EmailStep({ email, onEmail, onSent }: EmailStepProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const sendCode = async (): Promise<void> => {
    onSent(await callApi('POST /api/auth/forgot-password', { body: { email: email.trim() } }));
  };
  return (
    <>
      <p className="quiet">
        We sturen een mail met een link en een code. Daarmee kies je een nieuw wachtwoord.
      </p>
      <Form submit="Verstuur code" fallback={CODE_FAILED} onSubmit={sendCode}>
        <EmailField field={field} value={email} onChange={onEmail} />
      </Form>
    </>
  );
}

type CodeStepProps = {
  readonly email: string;
  readonly onDone: () => Promise<void>;
  readonly onAgain: () => void;
};

function CodeStep({ email, onDone, onAgain }: CodeStepProps) {
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => code.current?.focus(), []);
  const reset = async (fields: FormData): Promise<void> => {
    await callApi('POST /api/auth/reset-password-with-code', {
      body: { email: email.trim(), code: String(fields.get('code')), newPassword: passwordIn(fields) },
    });
    await onDone();
  };
  return (
    <>
      <Form submit="Wachtwoord wijzigen" fallback={RESET_FAILED} check={passwordError} onSubmit={reset}>
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
        <PasswordField isNew label="Nieuw wachtwoord" name="newPassword" />
      </Form>
      <Button variant="subtle" size="md" fullWidth onClick={onAgain}>
        Geen code ontvangen?
      </Button>
    </>
  );
}

type LinkStepProps = { readonly email: string; readonly token: string; readonly onDone: () => Promise<void> };

function LinkStep({ email, token, onDone }: LinkStepProps) {
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => password.current?.focus(), []);
  const reset = async (fields: FormData): Promise<void> => {
    await callApi('POST /api/auth/reset-password-with-link', {
      body: { token, newPassword: passwordIn(fields) },
    });
    await onDone();
  };
  return (
    <Form submit="Wachtwoord wijzigen" fallback={RESET_FAILED} check={passwordError} onSubmit={reset}>
      <EmailField value={email} />
      <PasswordField isNew field={password} label="Nieuw wachtwoord" name="newPassword" />
    </Form>
  );
}

const passwordIn = (fields: FormData): string => String(fields.get('newPassword'));
const passwordError = (fields: FormData): string | undefined => newPasswordError(passwordIn(fields));
