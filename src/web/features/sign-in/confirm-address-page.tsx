import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ApiError, callApi, failureText } from '#web/lib/api.ts';
import { revalidateSession } from '#web/session/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { SignedOutPageLayout } from './signed-out-page-layout.tsx';

const INCOMPLETE = 'Deze link is niet compleet. Kopieer hem helemaal uit de mail.';
const FAILED = 'Je adres is niet bevestigd. Probeer het opnieuw.';

/**
 * Page '/bevestigen#token', the target of a mailed link. The user must click a button to confirm, because some
 * programs open all links of a mail.
 */
export function ConfirmAddressPage(): ReactNode {
  const token = useLocation().hash.slice(1);
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => callApi('POST /api/auth/confirm-address', { body: { token } }),
    onSuccess: () => revalidateSession(client),
  });
  // An expired or truncated link cannot be retried.
  const isOver = error instanceof ApiError && error.code === 'invalid';
  const mayTry = token !== '' && !data && !isOver;
  return (
    <SignedOutPageLayout title="Bevestig je e-mailadres">
      <Notice>{data && `${data.email}: ${data.message}`}</Notice>
      <FailureAlert>
        {token === '' ? INCOMPLETE : error ? failureText(error, FAILED) : undefined}
      </FailureAlert>
      {mayTry && (
        <>
          <p>
            Bevestig dat dit adres van jou is. Daarna kun je verder in het portaal, en krijg je mail over
            machines.
          </p>
          <BusyButton isBusy={isPending} fullWidth onClick={() => isPending || mutate()}>
            Bevestig
          </BusyButton>
        </>
      )}
      {data ? (
        <Button size="md" fullWidth component="a" href="/">
          Naar het portaal
        </Button>
      ) : (
        <TextLink to="/signin">Naar de inlogpagina</TextLink>
      )}
    </SignedOutPageLayout>
  );
}
