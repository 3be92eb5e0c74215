import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Invitation } from '#shared/contract/invitations.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { WrappingEmailAddress } from '#web/ui/address.tsx';
import { CardActions, CardList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { activeAccessLimitText, limitInputOf } from './limit-fields.tsx';
import type { HandedOverLink } from './link-dialog.tsx';
import styles from './newcomers.module.css';

type InvitationsListProps = {
  readonly onDone: (note: string) => void;
  /** Called with the new link to hand over, if the portal sends no mail. */
  readonly onLink: (handed: HandedOverLink) => void;
};

/** Lists the invitations that are not accepted yet; nothing if there are none. */
export function InvitationsList({ onDone, onLink }: InvitationsListProps) {
  const titleId = useId();
  const invitations = useQuery(readQuery('GET /api/invitation/get'));
  const again = useChange('POST /api/invitation/create');
  const { mutateAsync: revoke } = useChange('POST /api/invitation/revoke');
  const [asked, setAsked] = useState<Invitation>();
  if (!invitations.error && !invitations.data?.length && !asked) return null;
  const sendAgain = ({ email, role, organization, limit }: Invitation): void =>
    again.mutate(
      { body: { email, role, organization, limit: limitInputOf(limit) } },
      {
        onSuccess: ({ link }) =>
          link === undefined
            ? onDone(`${email} krijgt een nieuwe mail; de vorige link werkt niet meer.`)
            : onLink({ what: 'invitation', email, link }),
      },
    );
  return (
    <section className={`${styles.newcomers} mb-8`} aria-labelledby={titleId}>
      <h2 className="mb-1" id={titleId}>
        Uitnodigingen
      </h2>
      <p>Nog niet aangenomen. Stuur je er een opnieuw, dan werkt de vorige link niet meer.</p>
      <RetryAlert query={invitations} fallback="De uitnodigingen zijn niet geladen." />
      <FailureAlert>
        {again.error ? failureText(again.error, 'De uitnodiging is niet verstuurd.') : undefined}
      </FailureAlert>
      <CardList label="Uitnodigingen" items={invitations.data ?? []} keyOf={({ _id }) => _id}>
        {(invitation) => (
          <InvitationCard
            invitation={invitation}
            isBusy={again.isPending}
            onAgain={() => sendAgain(invitation)}
            onRevoke={() => setAsked(invitation)}
          />
        )}
      </CardList>
      {asked && (
        <ConfirmDialog
          question="Wil je deze uitnodiging intrekken"
          onYes={async () => {
            await revoke({ body: { _id: asked._id } });
            onDone(`De uitnodiging van ${asked.email} is ingetrokken.`);
          }}
          onClose={() => setAsked(undefined)}
          fallback="De uitnodiging is niet ingetrokken. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.email}</strong> bij {asked.cleanorg}. De link werkt daarna niet meer.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type InvitationCardProps = {
  readonly invitation: Invitation;
  readonly isBusy: boolean;
  readonly onAgain: () => void;
  readonly onRevoke: () => void;
};

function InvitationCard({ invitation, isBusy, onAgain, onRevoke }: InvitationCardProps) {
  const { email, cleanorg, role, by, expires, mailFailed, limit } = invitation;
  const now = useNow(60_000);
  const until = Date.parse(expires);
  return (
    <>
      <h3>
        <WrappingEmailAddress email={email} />
      </h3>
      <p>
        {cleanorg} · {role}
        {limit && ` · ${activeAccessLimitText(limit)}`}
      </p>
      <p>{until < now ? `Verlopen op ${dateAndTime(until)}` : `Geldig tot ${dateAndTime(until)}`}</p>
      {mailFailed && (
        <p>
          <strong>De mail is niet verstuurd.</strong> Het portaal probeert het opnieuw. Klopt het adres, vraag
          dan de administrator naar de mailserver.
        </p>
      )}
      {by !== null && <p>Uitgenodigd door {by}</p>}
      <CardActions>
        <Button
          variant="default"
          size="md"
          aria-disabled={isBusy || undefined}
          aria-label={`Stuur opnieuw: ${email}`}
          onClick={() => isBusy || onAgain()}
        >
          Stuur opnieuw
        </Button>
        <Button variant="default" size="md" aria-label={`Trek in: ${email}`} onClick={onRevoke}>
          Trek in
        </Button>
      </CardActions>
    </>
  );
}
