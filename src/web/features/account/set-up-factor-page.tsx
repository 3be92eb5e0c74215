import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { readQuery } from '#web/queries/read.ts';
import { supportsPasskeys } from '#web/session/passkey.ts';
import { signOut } from '#web/session/session.ts';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { AddPasskey, AddTotp } from './add-factor.tsx';
import styles from './factors.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';

type Step = 'choose' | 'passkey' | 'totp' | { readonly codes: readonly string[] };

type SetUpFactorPageProps = {
  /** Called when the user has added a second factor and confirmed having kept the recovery codes. */
  readonly onDone: () => void;
};

/** Page for a user who must have a second factor and has none. The user cannot continue before setting one up. */
export function SetUpFactorPage({ onDone }: SetUpFactorPageProps) {
  const query = useQuery(readQuery('GET /api/account/factors'));
  const [step, setStep] = useState<Step>('choose');
  const canHavePasskeys = query.data?.canHavePasskeys === true && supportsPasskeys();
  const added = (codes: readonly string[]): void => (codes.length > 0 ? setStep({ codes }) : onDone());
  return (
    <main className={`${styles.setUp} stack gap-4`}>
      {typeof step === 'object' ? (
        <>
          <Title>Je herstelcodes</Title>
          <RecoveryCodes codes={step.codes} onKept={onDone} />
        </>
      ) : (
        <>
          <Title key={step}>Stel een tweede stap in</Title>
          {step === 'choose' && (
            <p>
              Bij jouw organisatie log je in met twee stappen: je wachtwoord, en iets dat alleen jij hebt. Dat
              is een passkey (je vinger, je gezicht of een pincode) of een app die codes geeft. Je stelt het
              één keer in. Daarna ga je verder.
            </p>
          )}
          <RetryAlert query={query} fallback="Dit is niet geladen." />
          {step === 'choose' && query.data && (
            <>
              {canHavePasskeys && (
                <Button size="md" fullWidth onClick={() => setStep('passkey')}>
                  Met een passkey
                </Button>
              )}
              <Button
                size="md"
                fullWidth
                variant={canHavePasskeys ? 'default' : 'filled'}
                onClick={() => setStep('totp')}
              >
                Met een authenticator-app
              </Button>
            </>
          )}
          {step === 'passkey' && <AddPasskey onAdded={added} />}
          {step === 'totp' && <AddTotp onAdded={added} />}
          {step === 'choose' ? (
            <SignOut />
          ) : (
            <Button variant="default" size="md" fullWidth onClick={() => setStep('choose')}>
              Terug
            </Button>
          )}
        </>
      )}
    </main>
  );
}

/** Heading that takes the focus when it appears, so that a screen reader announces the new step. */
function Title({ children }: { readonly children: string }) {
  useDocumentTitle(children);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

function SignOut() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const leave = (): void => {
    signOut(client).catch((error) => setFailure(failureText(error, 'Uitloggen is niet gelukt.')));
  };
  return (
    <>
      <FailureAlert>{failure}</FailureAlert>
      <Button variant="default" size="md" fullWidth onClick={leave}>
        Logout
      </Button>
    </>
  );
}
