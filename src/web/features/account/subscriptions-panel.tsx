import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Panel that lists the machines about whose charging the user gets mails, and ends these subscriptions. */
export function SubscriptionsPanel(): ReactNode {
  const query = useQuery(readQuery('GET /api/account/subscriptions'));
  const client = useQueryClient();
  const ending = useChange('POST /api/mail/unsubscribe');
  const [note, setNote] = useState<string>();
  const end = (serialNumber: string, alias: string): void => {
    if (ending.isPending) return;
    setNote(undefined);
    ending.mutate(
      { body: { serialNumber } },
      {
        onSuccess: () => {
          // Removes the subscription status that the machine's page cached.
          client.removeQueries(readQuery('GET /api/mail/subscription-status', { query: { serialNumber } }));
          setNote(`Je krijgt geen mails meer over het laden van ${alias}.`);
        },
      },
    );
  };
  return (
    <Panel title="Mijn laadupdates">
      <Notice>{note}</Notice>
      <FailureAlert>
        {ending.error
          ? failureText(ending.error, 'De laadupdate is niet gewijzigd. Probeer het opnieuw.')
          : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="De laadupdates zijn niet geladen." />
      {query.data?.length === 0 && (
        <p className="quiet">
          Je krijgt over geen machine mails. Op de pagina van een machine zet je ze aan.
        </p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul className="rows unless-empty" aria-label="Laadupdates">
          {query.data.map(({ serialNumber, alias, organization }) => (
            <li key={serialNumber}>
              <div>
                <TextLink to={`/machine/${encodeURIComponent(serialNumber)}`}>{alias}</TextLink>
                <div className="quiet">
                  #{serialNumber} · {organization}
                </div>
              </div>
              <Button
                variant="default"
                size="md"
                aria-label={`Afmelden voor ${alias}, #${serialNumber}`}
                onClick={() => end(serialNumber, alias)}
              >
                Afmelden
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
