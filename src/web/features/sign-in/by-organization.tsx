import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import { emailDomainOf, OIDC_OUTCOME_TEXTS, type OidcOutcome } from '#shared/domain/oidc.ts';
import { ApiError, callApi, failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { storeReturnState } from '#web/session/return-state.ts';
import { linkAndSignIn } from '#web/session/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { Form } from '#web/ui/form.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import styles from './by-organization.module.css';

const FAILED = 'Inloggen via je organisatie is niet gelukt. Probeer het opnieuw.';
const NO_ADDRESS = 'Vul eerst je e-mailadres in: daaraan zien we welke organisatie het is.';
const SETTLE_MS = 300;

/** Returns whether the organization of an e-mail domain has its own identity provider, which is public information. */
export function useProviderOffer(email: string): { readonly isOffered: boolean; readonly isOnly: boolean } {
  const typed = emailDomainOf(email);
  const [domain, setDomain] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDomain(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    ...readQuery('GET /api/auth/oidc', { query: { domain: domain ?? '' } }),
    enabled: domain !== undefined,
  });
  return data && domain === typed ? data : { isOffered: false, isOnly: false };
}

/** Returns a function that sends the browser to the identity provider. */
export function useGoToProvider(): (email: string) => Promise<void> {
  const { state } = useLocation();
  return async (email) => {
    const { url } = await callApi('POST /api/auth/oidc/start', { body: { email: email.trim() } });
    return leaveFor(url, state);
  };
}

/** Leaves the portal. Never resolves, so that the page stays busy until the browser has left. */
async function leaveFor(url: string, way: unknown): Promise<void> {
  storeReturnState(way);
  window.location.assign(url);
  await new Promise(() => {});
}

type AcceptByOrganizationProps = { readonly token: string; readonly isOnly: boolean };

/**
 * Accepts an invitation by signing in at the organization's identity provider: an alternative to a password, or
 * the only way.
 */
export function AcceptByOrganization({ token, isOnly }: AcceptByOrganizationProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { url } = await callApi('POST /api/auth/oidc/invitation', { body: { token } });
      return leaveFor(url, { invitation: token });
    },
  });
  return (
    <div className="stack mt-3">
      {error && <FailureAlert>{failureText(error, FAILED)}</FailureAlert>}
      <BusyButton
        variant={isOnly ? 'filled' : 'light'}
        fullWidth
        isBusy={isPending}
        onClick={() => isPending || mutate()}
      >
        Log in via je organisatie
      </BusyButton>
    </div>
  );
}

type ByOrganizationProps = { readonly email: string; readonly isOffered: boolean };

/** The button 'Log in via je organisatie', an alternative to the password. */
export function SignInByOrganization({ email, isOffered }: ByOrganizationProps) {
  const go = useGoToProvider();
  const { mutate, isPending, error } = useMutation({ mutationFn: go });
  const [isAsked, setAsked] = useState(false);
  const hasDomain = emailDomainOf(email) !== undefined;
  const start = (): void => {
    setAsked(!hasDomain);
    if (hasDomain) mutate(email);
    else document.querySelector<HTMLElement>('input[name="email"]')?.focus();
  };
  const failure = error ? failureText(error, FAILED) : undefined;
  const wrong = isAsked && !hasDomain ? NO_ADDRESS : failure;
  return (
    <div className="stack mt-3">
      {wrong !== undefined && <FailureAlert>{wrong}</FailureAlert>}
      <BusyButton
        variant={isOffered ? 'light' : 'default'}
        fullWidth
        isBusy={isPending}
        onClick={() => isPending || start()}
      >
        Log in via je organisatie
      </BusyButton>
    </div>
  );
}

/** Shows above the form the result of a sign-in at a provider. */
export function ProviderOutcome({ outcome }: { readonly outcome: OidcOutcome | undefined }) {
  const text = outcome && OIDC_OUTCOME_TEXTS[outcome];
  if (text === undefined) return null;
  const isGood = outcome === 'waits';
  return (
    <div className={`${styles.outcome} stack`}>
      <Notice>{isGood ? text : undefined}</Notice>
      <FailureAlert>{isGood ? undefined : text}</FailureAlert>
    </div>
  );
}

type LinkFormProps = {
  /** Called if the password is right and one of these second factors is needed. */
  readonly onFactors: (factors: readonly SecondFactorKind[]) => void;
  readonly onBack: () => void;
};

/** Replaces the sign-in form: asks for the password of an account that is not linked to the provider yet. */
export function LinkAccountForm({ onFactors, onBack }: LinkFormProps) {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={`${styles.link} stack`} aria-labelledby="link-account">
      <h2 id="link-account" ref={heading} tabIndex={-1}>
        Koppel je account
      </h2>
      <p>{OIDC_OUTCOME_TEXTS.exists}</p>
      <Form
        submit="Koppelen en inloggen"
        fallback="Het koppelen is niet gelukt. Probeer het opnieuw."
        onSubmit={async (fields) => {
          try {
            await linkAndSignIn(client, String(fields.get('present')));
          } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 'second-factor-required') throw error;
            onFactors(error.factors);
          }
        }}
      >
        <PasswordField label="Wachtwoord van je account" name="present" />
      </Form>
      <Button variant="default" size="md" fullWidth onClick={onBack}>
        Terug
      </Button>
    </section>
  );
}
