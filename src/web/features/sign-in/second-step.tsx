import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import { ApiError, failureText } from '#web/lib/api.ts';
import { supportsPasskeys } from '#web/session/passkey.ts';
import { signInWithCode, signInWithPasskey } from '#web/session/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { Form } from '#web/ui/form.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './sign-in-page.module.css';

const FAILED = 'De tweede stap is niet gelukt. Probeer het opnieuw.';

type SecondStepProps = {
  /** Second factors of the account. */
  readonly factors: readonly SecondFactorKind[];
  /** Returns to the password; `why`: the message, if this step has expired. */
  readonly onBack: (why?: string) => void;
};

/** The step after the right password: a passkey, the code of an authenticator app, or a recovery code. */
export function SecondStep({ factors, onBack }: SecondStepProps) {
  const client = useQueryClient();
  const canShow = factors.includes('passkey') && supportsPasskeys();
  const hasApp = factors.includes('totp');
  const [isLost, setLost] = useState(!canShow && !hasApp);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const submit = async (fields: FormData): Promise<void> => {
    try {
      await signInWithCode(client, String(fields.get('code')));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') onBack(error.message);
      else throw error;
    }
  };
  return (
    <section className={`${styles.second} stack`} aria-labelledby="second-step">
      <h2 id="second-step" ref={heading} tabIndex={-1}>
        Tweede stap
      </h2>
      {canShow && !isLost && <PasskeyButton onOver={onBack} />}
      {hasApp && !isLost && (
        <>
          {canShow && <p className="quiet centred">of</p>}
          <Form key="app" submit="Bevestig" fallback={FAILED} onSubmit={submit}>
            <CodeField
              label="Code"
              description="Zes cijfers uit je authenticator-app."
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          </Form>
        </>
      )}
      {isLost && (
        <Form key="recovery" submit="Bevestig" fallback={FAILED} onSubmit={submit}>
          <CodeField
            label="Herstelcode"
            description="Een van de codes die je kreeg toen je de tweede stap instelde. Elke code werkt één keer."
            autoCapitalize="characters"
            autoComplete="off"
          />
        </Form>
      )}
      {isLost && (
        <p className="quiet">Ook geen herstelcodes meer? Vraag je beheerder om je tweede stap te resetten.</p>
      )}
      <div className="stack gap-2">
        {(canShow || hasApp) && (
          <button type="button" className={styles.forgot} onClick={() => setLost(!isLost)}>
            {isLost ? 'Toch met de gewone tweede stap' : 'Apparaat kwijt? Gebruik een herstelcode'}
          </button>
        )}
        <Button variant="default" size="md" fullWidth onClick={() => onBack()}>
          Terug
        </Button>
      </div>
    </section>
  );
}

type CodeFieldProps = Pick<
  React.ComponentProps<typeof TextInput>,
  'label' | 'description' | 'inputMode' | 'autoComplete' | 'autoCapitalize'
>;

const CodeField = (props: CodeFieldProps) => (
  <TextInput
    {...props}
    name="code"
    spellCheck={false}
    required
    withAsterisk={false}
    maxLength={40}
    size="md"
  />
);

type PasskeyButtonProps = {
  /** Called when the second step has expired; undefined for a sign-in without a password. */
  readonly onOver?: (why: string) => void;
};

/** A button that signs in with a passkey, after the password or without one. */
export function PasskeyButton({ onOver }: PasskeyButtonProps) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signInWithPasskey(client),
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'unauthenticated') onOver?.(failure.message);
    },
  });
  return (
    <>
      <BusyButton
        variant={onOver ? 'filled' : 'default'}
        fullWidth
        isBusy={isPending}
        onClick={() => isPending || mutate()}
      >
        Gebruik een passkey
      </BusyButton>
      {error && <FailureAlert>{failureText(error, FAILED)}</FailureAlert>}
    </>
  );
}
