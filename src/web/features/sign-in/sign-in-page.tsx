import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import { ApiError } from '#web/lib/api.ts';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { supportsPasskeys } from '#web/session/passkey.ts';
import { useProviderOutcome } from '#web/session/provider-outcome.ts';
import { revalidateSession, signIn, useSession } from '#web/session/session.ts';
import { Form } from '#web/ui/form.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import {
  LinkAccountForm,
  ProviderOutcome,
  SignInByOrganization,
  useGoToProvider,
  useProviderOffer,
} from './by-organization.tsx';
import { EmailField } from './fields.tsx';
import { RegisterForm } from './register-form.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { PasskeyButton, SecondStep } from './second-step.tsx';
import styles from './sign-in-page.module.css';

/** AUTH-05 and AUTH-06 prescribe these English texts. */
const LOGIN_FAILED = 'Login failed. Please check your credentials.';
const RESET_DONE = 'Password reset successful. Please sign in with your new password.';

type Mode = 'login' | 'register';

/** Page '/signin' (AUTH-01): signing in and registering, with one e-mail address for both. */
export function SignInPage() {
  useDocumentTitle('Inloggen');
  const [mode, setMode] = useState<Mode>('login');
  const [email, setEmail] = useState('');
  const [note, setNote] = useState<string>();
  const [hasTried, setHasTried] = useState(false);
  /** Set if the password was right and one of these second factors is needed. */
  const [factors, setFactors] = useState<readonly SecondFactorKind[]>();
  const [over, setOver] = useState<string>();
  const { outcome, factors: shownBefore } = useProviderOutcome();
  const [hasLeft, setLeft] = useState(false);
  const isLinking = outcome === 'exists' && !hasLeft;
  useEffect(() => {
    if (shownBefore) setFactors(shownBefore);
  }, [shownBefore]);
  const session = useSession();
  const { token, leave } = useMailedLink();
  const isStepping = factors !== undefined && token === undefined;
  const why = session.state === 'anonymous' ? session.why : undefined;

  const switchMode = (value: string | null): void => {
    setMode(value as Mode);
    setNote(undefined);
    setOver(undefined);
  };
  const back = (reason?: string): void => {
    setFactors(undefined);
    setOver(reason);
  };
  const registered = (message: string): void => {
    setMode('login');
    setNote(message);
  };

  return (
    <main className={`${styles.page} stack gap-0 top`}>
      <div className={`${styles.card} raised full`}>
        <h1 className={styles.logo}>
          <Logo size="large" />
        </h1>
        <p className="mt-2 mb-6 quiet centred">Jouw machines, waar ze ook staan.</p>
        <ProviderOutcome outcome={isLinking || hasLeft ? undefined : outcome} />
        {isStepping && <SecondStep factors={factors} onBack={back} />}
        {isLinking && !isStepping && <LinkAccountForm onFactors={setFactors} onBack={() => setLeft(true)} />}
        {!isStepping && !isLinking && (
          <Tabs value={token === undefined ? mode : 'login'} onChange={switchMode} keepMounted={false}>
            <Tabs.List grow>
              <Tabs.Tab value="login">Inloggen</Tabs.Tab>
              <Tabs.Tab value="register">Registreren</Tabs.Tab>
            </Tabs.List>
            <div className={styles.note}>
              <Notice>{note}</Notice>
              {why !== undefined && mode === 'login' && !hasTried && <FailureAlert>{why}</FailureAlert>}
              {over !== undefined && <FailureAlert>{over}</FailureAlert>}
            </div>
            <Tabs.Panel value="login" className={styles.panel}>
              <SignInForm
                email={email}
                onEmail={setEmail}
                token={token}
                onTokenUsed={leave}
                note={note}
                onNote={setNote}
                onTry={() => {
                  setHasTried(true);
                  setOver(undefined);
                }}
                onFactors={setFactors}
              />
            </Tabs.Panel>
            <Tabs.Panel value="register" className={styles.panel}>
              <RegisterForm email={email} onEmail={setEmail} onRegistered={registered} />
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </main>
  );
}

/** Returns the token of a mailed link, which sign-in-route.tsx puts in the state of the history's entry; `leave` removes it. */
function useMailedLink() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const token = (state as { reset?: string } | null)?.reset;
  return { token, leave: () => void navigate(pathname, { replace: true, state: null }) };
}

type SignInFormProps = {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** Token of a mailed link: the user chooses a new password first. */
  readonly token: string | undefined;
  readonly onTokenUsed: () => void;
  /** Result of registering or resetting, after which only the password has to be typed. */
  readonly note: string | undefined;
  readonly onNote: (note: string | undefined) => void;
  /** Called when a sign-in starts; earlier messages are then out of date. */
  readonly onTry: () => void;
  /** Called if the password is right and one of these second factors is needed. */
  readonly onFactors: (factors: readonly SecondFactorKind[]) => void;
};

/** Form for e-mail address and password. On success the session changes, and the route redirects. */
function SignInForm({ email, onEmail, token, onTokenUsed, note, onNote, onTry, onFactors }: SignInFormProps) {
  const client = useQueryClient();
  const password = useRef<HTMLInputElement>(null);
  const [isResetting, setResetting] = useState(false);
  const close = (): void => {
    setResetting(false);
    if (token !== undefined) onTokenUsed();
  };
  const isOpen = isResetting || token !== undefined;
  const [withPassword, setWithPassword] = useState(false);
  const offer = useProviderOffer(email);
  const goToProvider = useGoToProvider();
  const isAway = offer.isOnly && !withPassword;
  useEffect(() => {
    // Must not take the focus from an open dialog.
    if (note !== undefined && !isOpen) password.current?.focus();
  }, [note, isOpen]);

  return (
    <>
      <Form
        submit={isAway ? 'Log in via je organisatie' : 'Inloggen'}
        fallback={LOGIN_FAILED}
        onSubmit={async (fields) => {
          onNote(undefined);
          onTry();
          if (isAway) return goToProvider(email);
          try {
            await signIn(client, email.trim(), String(fields.get('password')));
          } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 'second-factor-required') throw error;
            onFactors(error.factors);
          }
        }}
      >
        <EmailField value={email} onChange={onEmail} />
        {isAway ? (
          <p className="quiet">Je organisatie laat alleen inloggen met haar eigen account toe.</p>
        ) : (
          <PasswordField field={password} />
        )}
      </Form>
      {isAway ? (
        <button type="button" className={styles.forgot} onClick={() => setWithPassword(true)}>
          Toch met een wachtwoord
        </button>
      ) : (
        <>
          {supportsPasskeys() && (
            <div className="stack mt-3">
              <PasskeyButton />
            </div>
          )}
          <SignInByOrganization email={email} isOffered={offer.isOffered} />
          <button type="button" className={styles.forgot} onClick={() => setResetting(true)}>
            Wachtwoord Vergeten?
          </button>
        </>
      )}
      {isOpen && (
        <ResetDialog
          email={email}
          onEmail={onEmail}
          token={token}
          onClose={close}
          onDone={async () => {
            // A reset ends the session of the account; without a new validation the route would still redirect to the map.
            await revalidateSession(client);
            close();
            onNote(RESET_DONE);
          }}
        />
      )}
    </>
  );
}
