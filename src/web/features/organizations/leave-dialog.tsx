import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { LeavingCounts } from '#shared/contract/leaving.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './leave-dialog.module.css';

type LeaveDialogProps = {
  readonly organization: Organization;
  /** Called with a Dutch sentence about the result. */
  readonly onDone: (note: string) => void;
  readonly onClose: () => void;
};

/**
 * Asks before an organization is deleted, and shows what is deleted and when (ORG-03). An organization without
 * data is deleted at once; otherwise the user types its name and chooses between a delay and a final deletion.
 */
export function DeleteOrganizationDialog({
  organization: { name, clean },
  onDone,
  onClose,
}: LeaveDialogProps): ReactNode {
  const preview = useQuery({ ...readQuery('GET /api/organization/leave', { query: { name } }), gcTime: 0 });
  const send = useSendChange();
  const [confirm, setConfirm] = useState('');
  const [isFinal, setFinal] = useState(false);
  const parts = preview.data && partsOf(preview.data.counts);
  const yes = async (): Promise<void> => {
    if (!parts) throw new Error('What would be deleted is not known yet.');
    if (parts.length === 0) {
      await send('DELETE /api/organization/delete/', { query: { name } });
      onDone(`${clean} is verwijderd.`);
    } else onDone((await send('POST /api/organization/leave', { body: { name, confirm, isFinal } })).message);
  };
  return (
    <ConfirmDialog
      question="Weet je zeker dat je dit bedrijf wilt verwijderen"
      onYes={yes}
      onClose={onClose}
      fallback="De organisatie is niet verwijderd. Probeer het opnieuw."
    >
      <p className="wrap">
        <strong>{clean}</strong>
      </p>
      <RetryAlert query={preview} fallback="Wat er weggaat, is niet geladen." />
      {preview.isLoading && <p role="status">Wat er weggaat, wordt geteld …</p>}
      {parts?.length === 0 && (
        <p>Er hoort niets bij: geen machines, mensen of gegevens. De organisatie wordt meteen verwijderd.</p>
      )}
      {preview.data && parts && parts.length > 0 && (
        <>
          <p>Dit gaat weg:</p>
          <ul className="bullets">
            {parts.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
          <p>
            Meteen: niemand kan meer inloggen, loggers worden geweigerd, mails en berichten stoppen.{' '}
            {isFinal
              ? 'Alles wordt nu verwijderd, in enkele minuten tot uren. Dat is niet terug te nemen.'
              : `Definitief weg vanaf ${dateAndTime(Date.parse(preview.data.removeFrom))}. Tot dan kun je het terugnemen.`}
          </p>
          <TickBox
            label="Direct definitief"
            checked={isFinal}
            onChange={({ currentTarget }) => setFinal(currentTarget.checked)}
          />
          <TextInput
            className={styles.name}
            size="md"
            name="confirm"
            label={FIELD_TEXTS.confirm}
            description={`Typ ter bevestiging: ${clean}`}
            autoComplete="off"
            value={confirm}
            onChange={({ currentTarget }) => setConfirm(currentTarget.value)}
          />
        </>
      )}
    </ConfirmDialog>
  );
}

type Part = readonly [keyof LeavingCounts, one: string, more: string];
const PARTS: readonly Part[] = [
  ['machines', 'machine', 'machines'],
  ['lmbLoggers', 'LMB logger', 'LMB loggers'],
  ['deleted', 'eerder verwijderde machine of logger', 'eerder verwijderde machines of loggers'],
  ['readings', 'meting', 'metingen'],
  ['people', 'gebruiker', 'gebruikers'],
  ['invitations', 'uitnodiging', 'uitnodigingen'],
  ['photos', 'foto', 'foto’s'],
  ['manuals', 'handleiding', 'handleidingen'],
  ['logFiles', 'logbestand', 'logbestanden'],
  ['quarantined', 'levering in quarantaine', 'leveringen in quarantaine'],
  ['projects', 'project', 'projecten'],
  ['rules', 'regel voor meldingen', 'regels voor meldingen'],
  ['subscriptions', 'abonnement op mails', 'abonnementen op mails'],
  ['webhooks', 'webhook', 'webhooks'],
  ['mails', 'mail die nog wacht', 'mails die nog wachten'],
];

const counted = (n: number, one: string, more: string): string =>
  `${formatNumber(n)} ${n === 1 ? one : more}`;

/**
 * Returns a text for each kind of item that is deleted, with the number of items; empty for an organization without
 * data.
 */
function partsOf(counts: LeavingCounts): string[] {
  const { shared, sold } = counts;
  return [
    ...PARTS.filter(([name]) => counts[name] > 0).map(([name, one, more]) =>
      counted(counts[name], one, more),
    ),
    ...(shared > 0
      ? [
          `van ${counted(shared, 'machine', 'machines')} alleen de tijd bij deze klant: wat een eerdere eigenaar heeft gemeten, blijft`,
        ]
      : []),
    ...(sold > 0
      ? [
          `van ${sold === 1 ? '1 machine die intussen van een ander is' : `${formatNumber(sold)} machines die intussen van een ander zijn`}, de tijd bij deze klant`,
        ]
      : []),
  ];
}
