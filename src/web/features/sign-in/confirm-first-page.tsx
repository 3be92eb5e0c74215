import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { callApi, failureText } from '#web/lib/api.ts';
import { revalidateSession, signOut } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { SignedOutPageLayout } from './signed-out-page-layout.tsx';

/** The user may open the confirmation link on another device; this page asks the server this often whether that happened. */
const ASK_EVERY_MS = 10_000;

/** Replaces every page except 'Mijn account' for a user who registered by code, until the address is confirmed. */
export function ConfirmFirstPage(): ReactNode {
  const { email, organizationName, hasNoMailServer } = useUser();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => callApi('POST /api/auth/confirm-address/send'),
  });
  useEffect(() => {
    const timer = setInterval(() => void revalidateSession(client), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client]);
  const leave = (): void =>
    void signOut(client).catch((reason) => setFailure(failureText(reason, 'Uitloggen is niet gelukt.')));
  return (
    <SignedOutPageLayout title="Bevestig je e-mailadres">
      {hasNoMailServer ? (
        <p>
          Dit portaal verstuurt geen mail. Vraag de beheerder van {organizationName}, of de administrator van
          het portaal, om de link voor <strong>{email}</strong> en open die. Daarna gaat deze pagina vanzelf
          verder.
        </p>
      ) : (
        <>
          <p>
            We hebben een mail gestuurd naar <strong>{email}</strong>. Open de link in die mail. Daarna zie je
            het portaal van {organizationName}, en gaat deze pagina vanzelf verder.
          </p>
          <p>Geen mail gekregen? Kijk bij de ongewenste mail, of laat hem opnieuw sturen.</p>
        </>
      )}
      <Notice>{data?.message}</Notice>
      <FailureAlert>
        {error ? failureText(error, 'De mail is niet verstuurd. Probeer het opnieuw.') : failure}
      </FailureAlert>
      {!hasNoMailServer && (
        <BusyButton isBusy={isPending} fullWidth onClick={() => isPending || mutate()}>
          Stuur de mail opnieuw
        </BusyButton>
      )}
      <Button variant="default" size="md" fullWidth onClick={leave}>
        Logout
      </Button>
      <TextLink to="/account">Mijn account</TextLink>
    </SignedOutPageLayout>
  );
}
