import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ReauthenticationMethods } from '#shared/contract/account.ts';
import { type AskToReauthenticate, callApi, failureText, setReauthentication } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { assertPasskey, supportsPasskeys } from '#web/session/passkey.ts';
import { signOut } from '#web/session/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type Answer = (isProved: boolean) => void;
type AnswerProps = { readonly onAnswer: Answer };

const FAILED = 'Het is niet bevestigd. Probeer het opnieuw.';

/** Asks the user to re-authenticate when a call requires it. Several simultaneous calls show the dialog once. */
export function ReauthenticationPrompt(): ReactNode {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    let asked: Promise<boolean> | undefined;
    const ask: AskToReauthenticate = () => {
      asked ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asked = undefined;
        setAnswer(undefined);
      });
      return asked;
    };
    setReauthentication(ask);
    return () => setReauthentication(undefined);
  }, []);
  return answer && <ReauthenticationDialog onAnswer={answer} />;
}

/**
 * Offers the account's ways to re-authenticate; a user whose account has none must sign in again. Renders nothing
 * until the server has returned these ways, so that the input field gets the focus.
 */
function ReauthenticationDialog({ onAnswer }: AnswerProps): ReactNode {
  const query = useQuery({
    ...readQuery('POST /api/account/proof/options'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.isPending) return null;
  return (
    <Dialog title="Bevestig dat jij het bent" onClose={() => onAnswer(false)}>
      <DialogBody>
        {query.data ? (
          <Ways ways={query.data} onAnswer={onAnswer} />
        ) : (
          <RetryAlert query={query} fallback="Dit is niet geladen." />
        )}
        <Button variant="default" size="md" fullWidth onClick={() => onAnswer(false)}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

function Ways({ ways, onAnswer }: AnswerProps & { readonly ways: ReauthenticationMethods }): ReactNode {
  const { hasPassword, hasApp } = ways;
  const hasPasskey = ways.passkey !== null && supportsPasskeys();
  const [isByCode, setByCode] = useState(!hasPassword);
  if (!hasPassword && !hasApp && !hasPasskey)
    return (
      <>
        <p>
          Omdat dit grote gevolgen heeft, moeten we zeker weten dat jij het bent. Je hebt geen wachtwoord of
          tweede stap waarmee dat hier kan. Log daarom opnieuw in: daarna kom je op deze pagina terug, en heb
          je tien minuten.
        </p>
        <SignInAgain variant="filled" />
      </>
    );
  return (
    <>
      <p>Omdat dit grote gevolgen heeft, vragen we nog eens of jij het bent.</p>
      {(hasPassword || hasApp) && <Typed key={String(isByCode)} isByCode={isByCode} onAnswer={onAnswer} />}
      {hasPasskey && <ByPasskey isOnly={!hasPassword && !hasApp} onAnswer={onAnswer} />}
      {hasPassword && hasApp && (
        <Button variant="default" size="md" fullWidth onClick={() => setByCode(!isByCode)}>
          {isByCode ? 'Gebruik je wachtwoord' : 'Gebruik een code uit je app'}
        </Button>
      )}
      {!hasPassword && <SignInAgain variant="subtle" />}
    </>
  );
}

/** Form for the password or the code of an authenticator app. Its field has the focus. */
function Typed({ isByCode, onAnswer }: AnswerProps & { readonly isByCode: boolean }): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Form
      submit="Bevestig"
      fallback={FAILED}
      onSubmit={async (fields) => {
        const given = String(fields.get(isByCode ? 'code' : 'password'));
        await callApi('POST /api/account/proof', { body: isByCode ? { code: given } : { password: given } });
        onAnswer(true);
      }}
    >
      {isByCode ? (
        <FormInput
          ref={field}
          name="code"
          label="Code"
          description="Zes cijfers uit je authenticator-app."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          maxLength={40}
        />
      ) : (
        <PasswordField field={field} />
      )}
    </Form>
  );
}

function ByPasskey({ isOnly, onAnswer }: AnswerProps & { readonly isOnly: boolean }): ReactNode {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // Requests a new challenge: a challenge is valid for five minutes and can be used once, so the one that was
      // loaded with the dialog may be invalid.
      const { passkey: options } = await callApi('POST /api/account/proof/options');
      await callApi('POST /api/account/proof', { body: { passkey: await assertPasskey(options) } });
    },
    onSuccess: () => onAnswer(true),
  });
  return (
    <>
      {error && <FailureAlert>{failureText(error, FAILED)}</FailureAlert>}
      <BusyButton
        variant={isOnly ? 'filled' : 'default'}
        fullWidth
        isBusy={isPending}
        onClick={() => isPending || mutate()}
      >
        Gebruik een passkey
      </BusyButton>
    </>
  );
}

/** Signs out and opens the sign-in page, which returns the user to this page after the sign-in. */
function SignInAgain({ variant }: { readonly variant: 'filled' | 'subtle' }): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({ mutationFn: () => signOut(client, true) });
  return (
    <>
      {error && <FailureAlert>{failureText(error, 'Uitloggen is niet gelukt.')}</FailureAlert>}
      <BusyButton variant={variant} fullWidth isBusy={isPending} onClick={() => isPending || mutate()}>
        Log opnieuw in
      </BusyButton>
    </>
  );
}
