import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { newPasswordError } from '#shared/domain/new-password.ts';
import { type OidcOutcome, parseOidcOutcome } from '#shared/domain/oidc.ts';
import { callApi } from '#web/lib/api.ts';
import { consumeInvitationToken } from '#web/session/return-state.ts';
import { signIn, useSession } from '#web/session/session.ts';
import { Form } from '#web/ui/form.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { AcceptByOrganization, ProviderOutcome } from './by-organization.tsx';
import { EmailField } from './fields.tsx';
import { SignedOutPageLayout } from './signed-out-page-layout.tsx';

const SIGN_IN = '/signin';
const INCOMPLETE = 'Deze link is niet compleet. Kopieer hem helemaal uit de mail.';

/**
 * Page '/uitnodiging#token', the target of a mailed invitation: the user chooses a password or signs in by the
 * organization's provider.
 */
export function InvitationPage(): ReactNode {
  const { token, outcome } = useLink();
  // A mutation, not a query: signing in repeats all queries, and the invitation would then be used already.
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (mailed: string) => callApi('POST /api/invitation/look', { body: { token: mailed } }),
  });
  useEffect(() => {
    if (token) mutate(token);
  }, [token, mutate]);
  const [isMade, setMade] = useState(false);
  const again = { error, isFetching: isPending, refetch: async () => mutate(token ?? '') };
  return (
    <SignedOutPageLayout title={data ? `Welkom bij ${data.cleanorg}` : 'Uitnodiging'}>
      <FailureAlert>{token === '' && !outcome ? INCOMPLETE : undefined}</FailureAlert>
      {!error && <ProviderOutcome outcome={outcome} />}
      <RetryAlert query={again} fallback="De uitnodiging is niet geladen." />
      <Notice>{isMade ? 'Je account is gemaakt. Log in met je nieuwe wachtwoord.' : undefined}</Notice>
      {data && token && !isMade && <Accept token={token} offer={data} onMade={() => setMade(true)} />}
      {isPending && <p role="status">De uitnodiging wordt geladen…</p>}
      {(isMade || !data) && !isPending && <TextLink to={SIGN_IN}>Naar de inlogpagina</TextLink>}
    </SignedOutPageLayout>
  );
}

/**
 * Returns the token of the mailed invitation. After a sign-in at a provider, the token comes from the tab's storage and the outcome from
 * the address.
 */
function useLink(): { readonly token: string | undefined; readonly outcome: OidcOutcome | undefined } {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<OidcOutcome>();
  const returned = parseOidcOutcome(hash);
  useEffect(() => {
    if (returned === undefined) return;
    setOutcome(returned);
    void navigate(`${pathname}#${consumeInvitationToken() ?? ''}`, { replace: true });
  }, [returned, pathname, navigate]);
  return { token: returned === undefined ? hash.slice(1) : undefined, outcome };
}

type AcceptProps = {
  readonly token: string;
  readonly offer: {
    readonly email: string;
    readonly cleanorg: string;
    readonly role: string;
    readonly provider: { readonly isOnly: boolean } | null;
  };
  /** Called when the account is created but signing in needs more than its password. */
  readonly onMade: () => void;
};

function Accept({ token, offer, onMade }: AcceptProps): ReactNode {
  const { email, cleanorg, role, provider } = offer;
  const session = useSession();
  return (
    <>
      <p>
        Je bent uitgenodigd als {role}. {howToBegin(cleanorg, provider)}
      </p>
      {session.state === 'authenticated' && (
        <p>
          Je bent nu ingelogd als {session.user.email}. Daarna ben je ingelogd als {email}.
        </p>
      )}
      {!provider?.isOnly && <AcceptForm token={token} email={email} onMade={onMade} />}
      {provider && <AcceptByOrganization token={token} isOnly={provider.isOnly} />}
    </>
  );
}

function howToBegin(organization: string, provider: { readonly isOnly: boolean } | null): string {
  if (!provider) return 'Kies een wachtwoord, dan kun je meteen beginnen.';
  return provider.isOnly
    ? `${organization} laat alleen inloggen met haar eigen account toe.`
    : 'Kies een wachtwoord, of log in via je organisatie: dan heb je er geen nodig.';
}

type AcceptFormProps = { readonly token: string; readonly email: string; readonly onMade: () => void };

function AcceptForm({ token, email, onMade }: AcceptFormProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const accept = async (fields: FormData): Promise<void> => {
    const password = String(fields.get('password'));
    const made = await callApi('POST /api/invitation/accept', { body: { token, password } });
    try {
      await signIn(client, made.email, password);
      await navigate('/', { replace: true });
    } catch {
      onMade();
    }
  };
  return (
    <Form
      submit="Begin"
      fallback="Je account is niet gemaakt. Probeer het opnieuw."
      check={(fields) => newPasswordError(String(fields.get('password')))}
      onSubmit={accept}
    >
      <EmailField value={email} />
      <PasswordField isNew label="Wachtwoord" name="password" />
    </Form>
  );
}
