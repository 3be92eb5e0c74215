import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { factRequiredByKind, isSilenceKind, kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { timeOrDateText } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { useLiveEntry } from '#web/live/live.ts';
import { AlertMark, alertTimeText } from '#web/machines/alert-mark.tsx';
import { ContactCall } from '#web/machines/contact-call.tsx';
import { useFleetFigures } from '#web/machines/fleet-figures.ts';
import { LastKnown } from '#web/machines/last-known.tsx';
import { firstDueMaintenance } from '#web/machines/present-due.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { CardActions } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './alerts-page.module.css';

type AlertCardProps = {
  readonly alert: Alert;
  readonly now: number;
  readonly isNew: boolean;
  /** Whether the user followed a notification's link to this alert. The card is then marked and scrolled into view. */
  readonly isLinked: boolean;
  readonly onMute: () => void;
};

/** Card of one alert, with its time, what to do, and the user who takes care of it. */
export function AlertCard({ alert, now, isNew, isLinked, onMute }: AlertCardProps): ReactNode {
  const { _id, kind, severity, machine, subject, words, until, state, rule, cleanorg } = alert;
  const { word, whatToDo } = kindDefinition(kind);
  const entry = useLiveEntry(machine?.serialNumber ?? '');
  const showsLastKnown = until === null && isSilenceKind(kind);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isLinked) return;
    // Scrolls to the card in a timer, because the layout scrolls a new page to its top after this effect.
    const timer = setTimeout(() => {
      place.current?.scrollIntoView({ block: 'center' });
      place.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [isLinked]);
  const due = usePresentDue(alert);
  const sentence = `${words.charAt(0).toLocaleUpperCase('nl')}${words.slice(1)}`;
  return (
    <li
      ref={place}
      className={`${styles.card} alert-card p-4`}
      data-alert={_id}
      data-severity={severity}
      data-over={until !== null || undefined}
      data-linked={isLinked || undefined}
    >
      <div className="cluster">
        <AlertMark severity={severity} />
        {isNew && <span className="tag">Nieuw</span>}
        {state === 'withdrawn' && <span className="tag">Bleek niet zo</span>}
      </div>
      <h2 className="large" tabIndex={-1}>
        {subject ? `${word}: ${subject}` : word}
        {machine && (
          <>
            {': '}
            <TextLink to={`/machine/${encodeURIComponent(machine.serialNumber)}`}>{machine.alias}</TextLink>
          </>
        )}
      </h2>
      {due === undefined ? (
        <p>
          {sentence}, <time dateTime={alert.since}>{alertTimeText(alert, now)}</time>.
        </p>
      ) : (
        <p>{due}.</p>
      )}
      {showsLastKnown && entry && <LastKnown entry={entry} now={now} look="whole" />}
      {until === null && <p>{whatToDo}</p>}
      {alert.contact && <ContactCall contact={alert.contact} />}
      <p className="quiet">
        Regel: {rule.ruleName}
        {rule.isOwn ? ' (van jou)' : ''} · {cleanorg}
      </p>
      <TakenBy alert={alert} now={now} />
      {until === null && <Actions alert={alert} onMute={onMute} />}
    </li>
  );
}

/**
 * Returns when the maintenance task of an open maintenance alert is due, by the machine's present running hours;
 * undefined for other alerts and until these are loaded.
 */
function usePresentDue({ kind, until, machine, words }: Alert): string | undefined {
  const isOpen = factRequiredByKind(kind) === 'plans' && until === null && machine !== null;
  const { data } = useFleetFigures(isOpen);
  const due = isOpen ? firstDueMaintenance(data, machine.serialNumber) : undefined;
  return due && words.startsWith(`${due.planName} nodig `) ? due.text : undefined;
}

function TakenBy({ alert: { taken }, now }: { readonly alert: Alert; readonly now: number }): ReactNode {
  if (!taken) return null;
  return (
    <p>
      <strong>{taken.by}</strong> pakt dit op, {timeOrDateText(Date.parse(taken.at), now)}
    </p>
  );
}

function Actions({ alert, onMute }: { readonly alert: Alert; readonly onMute: () => void }): ReactNode {
  const { _id, kind, machine, subject, taken } = alert;
  const { name, email } = useUser();
  const { mutate, isPending, error } = useChange('POST /api/alert/take');
  const isMine = taken !== null && taken.by === (name ?? email);
  const of = [kindDefinition(kind).word, machine?.alias ?? subject].filter(Boolean).join(', ');
  return (
    <>
      <FailureAlert>
        {error ? failureText(error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <CardActions>
        <BusyButton
          variant="default"
          isBusy={isPending}
          aria-label={`${isMine ? 'Toch niet' : 'Ik pak dit op'}: ${of}`}
          onClick={() => isPending || mutate({ body: { alert: _id, takes: !isMine } })}
        >
          {isMine ? 'Toch niet' : 'Ik pak dit op'}
        </BusyButton>
        <Button variant="subtle" size="md" aria-label={`Dempen: ${of}`} onClick={onMute}>
          Dempen
        </Button>
      </CardActions>
    </>
  );
}
