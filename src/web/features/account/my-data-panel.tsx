import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callApi } from '#web/lib/api.ts';
import { forgetDeletedAccount } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Panel that downloads the user's personal data and deletes the account. */
export function MyDataPanel(): ReactNode {
  const { email } = useUser();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Mijn gegevens">
      <p className="quiet">
        Wat het portaal over jou bewaart, als bestand: je account, je sessies, je laadupdates en de regels
        over jou in het logboek. Wachtwoorden staan er niet in.
      </p>
      <div className="cluster gap-3 stretch">
        <Button
          component="a"
          variant="default"
          size="md"
          href="/api/account/data"
          download="mijn-gegevens.json"
        >
          Download mijn gegevens
        </Button>
        <Button variant="default" size="md" className="alarming" onClick={() => setAsking(true)}>
          Verwijder mijn account
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat je je account wilt verwijderen"
          onYes={async () => {
            await callApi('DELETE /api/account');
            forgetDeletedAccount(client);
          }}
          onClose={() => setAsking(false)}
          fallback="Je account is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{email}</strong> kan daarna niet meer inloggen en krijgt geen mails meer. Dit kan niet
            ongedaan worden gemaakt. De machines en hun gegevens blijven.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
