import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { newPasswordFault } from '#shared/domain/new-password.ts';
import { call } from '#web/lib/api.ts';
import { signIn, useSession } from '#web/session/session.ts';
import { Form } from '#web/ui/form.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Entrance } from './entrance.tsx';
import { EmailField } from './fields.tsx';

const SIGN_IN = '/signin';

/** /uitnodiging#token, the link of a mail: a password, and one is in. */
export function InvitationPage(): ReactNode {
  const token = useLocation().hash.slice(1);
  // No query: those are forgotten as somebody signs in, and asked again an invitation would be used by then.
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (looked: string) => call('POST /api/invitation/look', { body: { token: looked } }),
  });
  useEffect(() => {
    if (token !== '') mutate(token);
  }, [token, mutate]);
  const [isMade, setMade] = useState(false);
  const again = { error, isFetching: isPending, refetch: async () => mutate(token) };
  return (
    <Entrance title={data ? `Welkom bij ${data.cleanorg}` : 'Uitnodiging'}>
      {token === '' && <p role="alert">Deze link is niet compleet. Kopieer hem helemaal uit de mail.</p>}
      <RetryAlert query={again} fallback="De uitnodiging is niet geladen." />
      <Notice>{isMade ? 'Je account is gemaakt. Log in met je nieuwe wachtwoord.' : undefined}</Notice>
      {data && !isMade && <AcceptForm token={token} offer={data} onMade={() => setMade(true)} />}
      {isPending && <p role="status">De uitnodiging wordt geladen…</p>}
      {(isMade || !data) && !isPending && <TextLink to={SIGN_IN}>Naar de inlogpagina</TextLink>}
    </Entrance>
  );
}

type AcceptFormProps = {
  readonly token: string;
  readonly offer: { readonly email: string; readonly role: string };
  /** The account is there, and signing in takes more than its password. */
  readonly onMade: () => void;
};

function AcceptForm({ token, offer: { email, role }, onMade }: AcceptFormProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const session = useSession();
  const accept = async (fields: FormData): Promise<void> => {
    const password = String(fields.get('password'));
    const made = await call('POST /api/invitation/accept', { body: { token, password } });
    try {
      await signIn(client, made.email, password);
      await navigate('/', { replace: true });
    } catch {
      onMade();
    }
  };
  return (
    <>
      <p>Je bent uitgenodigd als {role}. Kies een wachtwoord, dan kun je meteen beginnen.</p>
      {session.state === 'authenticated' && (
        <p>
          Je bent nu ingelogd als {session.user.email}. Daarna ben je ingelogd als {email}.
        </p>
      )}
      <Form
        submit="Begin"
        fallback="Je account is niet gemaakt. Probeer het opnieuw."
        check={(fields) => newPasswordFault(String(fields.get('password')))}
        onSubmit={accept}
      >
        <EmailField value={email} />
        <PasswordField isNew label="Wachtwoord" name="password" />
      </Form>
    </>
  );
}
