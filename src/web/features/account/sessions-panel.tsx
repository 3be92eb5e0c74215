import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OwnSession } from '#shared/contract/account.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange, useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Panel that lists the user's sessions, and ends one session or all other sessions. */
export function SessionsPanel(): ReactNode {
  const query = useQuery(readQuery('GET /api/account/sessions'));
  const ending = useChange('POST /api/account/sessions/end');
  const send = useSendChange();
  const [note, setNote] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { sessions = [], total = 0 } = query.data ?? {};

  const end = (id: number): void => {
    if (ending.isPending) return;
    setNote(undefined);
    ending.mutate({ body: { id } }, { onSuccess: ({ message }) => setNote(message) });
  };
  return (
    <Panel title="Waar je bent ingelogd">
      <p className="quiet">
        Ken je een apparaat niet? Beëindig de sessie en kies een ander wachtwoord. Het andere apparaat merkt
        het binnen enkele seconden.
      </p>
      <Notice>{note}</Notice>
      <FailureAlert>
        {ending.error
          ? failureText(ending.error, 'De sessie is niet beëindigd. Probeer het opnieuw.')
          : undefined}
      </FailureAlert>
      <RetryAlert query={query} fallback="De sessies zijn niet geladen." />
      <ul className="rows unless-empty" aria-label="Sessies">
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionRow session={session} onEnd={() => end(session.id)} />
          </li>
        ))}
      </ul>
      {total > sessions.length && (
        <p className="quiet">
          En nog {formatNumber(total - sessions.length)} die langer geleden zijn gebruikt.
        </p>
      )}
      {total > 1 && (
        <div className="cluster gap-3 stretch">
          <Button
            variant="default"
            size="md"
            className="alarming"
            onClick={() => {
              ending.reset();
              setAsking(true);
            }}
          >
            Beëindig alle andere
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat je alle andere sessies wilt beëindigen"
          kind="change"
          onYes={async () => setNote((await send('POST /api/account/sessions/end-others')).message)}
          onClose={() => setAsking(false)}
          fallback="De sessies zijn niet beëindigd. Probeer het opnieuw."
        >
          <p>Op dit apparaat blijf je ingelogd, overal elders moet je opnieuw inloggen.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type SessionRowProps = { readonly session: OwnSession; readonly onEnd: () => void };

function SessionRow({
  session: { device, address, since, lastUsed, isOwn },
  onEnd,
}: SessionRowProps): ReactNode {
  return (
    <>
      <div>
        <strong>{device}</strong>
        {isOwn && <span className="tag ml-2">Dit apparaat</span>}
        <br />
        <span className="quiet">
          {address} · ingelogd {dateAndTime(Date.parse(since))}
          {!isOwn && ` · laatst gebruikt ${dateAndTime(Date.parse(lastUsed))}`}
        </span>
      </div>
      {!isOwn && (
        <Button
          variant="default"
          size="md"
          aria-label={`Beëindig ${device}, ${address}, ingelogd ${dateAndTime(Date.parse(since))}`}
          onClick={onEnd}
        >
          Beëindig
        </Button>
      )}
    </>
  );
}
