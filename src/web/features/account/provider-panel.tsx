import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OIDC_OUTCOME_TEXTS } from '#shared/domain/oidc.ts';
import { callApi, failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { useProviderOutcome } from '#web/session/provider-outcome.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

const FAILED = 'Dat is niet gelukt. Probeer het opnieuw.';

/** Panel that links this account to the organization's identity provider or ends the link. Hidden without a provider. */
export function ProviderPanel(): ReactNode {
  const send = useSendChange();
  const { data } = useQuery(readQuery('GET /api/account/oidc'));
  const { outcome } = useProviderOutcome();
  const [note, setNote] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const linking = useMutation({
    mutationFn: async () => {
      const { url } = await callApi('POST /api/account/oidc/link');
      window.location.assign(url);
    },
  });
  if (!data || (!data.isOffered && !data.linked)) return null;
  const isLinked = data.linked !== null;
  const outcomeText = outcome && OIDC_OUTCOME_TEXTS[outcome];
  const failure = linking.error ? failureText(linking.error, FAILED) : undefined;

  return (
    <Panel title="Inloggen via je organisatie">
      <Notice>{note ?? (outcome === 'linked' ? outcomeText : undefined)}</Notice>
      <FailureAlert>{failure ?? (outcome === 'linked' || note ? undefined : outcomeText)}</FailureAlert>
      <p>
        {isLinked
          ? 'Je account is gekoppeld: je logt in met het account van je organisatie.'
          : 'Koppel je account aan dat van je organisatie. Daarna log je in zonder wachtwoord van het portaal.'}
      </p>
      {!isLinked && (
        <BusyButton isBusy={linking.isPending} onClick={() => linking.isPending || linking.mutate()}>
          Koppel mijn account
        </BusyButton>
      )}
      {isLinked && !data.isOnly && (
        <Button variant="default" size="md" onClick={() => setAsking(true)}>
          Koppeling verbreken
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat je de koppeling wilt verbreken"
          kind="change"
          onYes={async () => {
            setNote((await send('POST /api/account/oidc/unlink')).message);
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Daarna log je in met je wachtwoord. Heb je er geen? Kies dan een wachtwoord via de inlogpagina.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
