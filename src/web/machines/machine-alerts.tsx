import type { ReactNode } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { kindWords } from '#shared/domain/alerts/kinds.ts';
import { TextLink } from '#web/ui/link.tsx';
import { AlertMark, alertTimeInWords } from './alert-mark.tsx';
import styles from './machine-alerts.module.css';
import { useAlertsOf } from './open-alerts.ts';

type MachineAlertsProps = {
  readonly serial: string;
  readonly now: number;
  /** In the little room of a popup. */
  readonly isTight?: boolean;
};

/** The address of one alert in the list of them. */
export const alertPath = (_id: string): string => `/meldingen?melding=${_id}`;

/** What is open of a machine: what was seen, since when and what to do; nothing where nothing is. */
export function MachineAlerts({ serial, now, isTight }: MachineAlertsProps): ReactNode {
  const alerts = useAlertsOf(serial);
  if (alerts.length === 0) return null;
  // The newest first, but a move before all others.
  const inOrder = alerts.toSorted((a, b) => Number(b.kind === 'moved') - Number(a.kind === 'moved'));
  return (
    <ul className={styles.alerts} data-tight={isTight} aria-label="Open meldingen">
      {inOrder.map((alert) => (
        <li key={alert._id} data-severity={alert.severity}>
          <MachineAlert alert={alert} now={now} />
        </li>
      ))}
    </ul>
  );
}

function MachineAlert({ alert, now }: { readonly alert: Alert; readonly now: number }): ReactNode {
  const { _id, kind, severity, words, taken } = alert;
  const { word, whatToDo } = kindWords(kind);
  return (
    <>
      <p className={styles.head}>
        <AlertMark severity={severity} />
        <TextLink to={alertPath(_id)}>{word}</TextLink>
      </p>
      <p>
        {words.charAt(0).toLocaleUpperCase('nl')}
        {words.slice(1)}, {alertTimeInWords(alert, now)}.
      </p>
      <p>{whatToDo}</p>
      {taken && <p className={styles.quiet}>{taken.by} pakt dit op</p>}
    </>
  );
}
