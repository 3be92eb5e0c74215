import { type ReactNode, useState } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { kindDefinition, showsPresentPosition } from '#shared/domain/alerts/kinds.ts';
import { TextLink } from '#web/ui/link.tsx';
import { AlertMark, alertTimeText } from './alert-mark.tsx';
import styles from './machine-alerts.module.css';
import { useAlertsOf } from './open-alerts.ts';

type MachineAlertsProps = {
  readonly serial: string;
  readonly now: number;
  /** Layout for a popup. */
  readonly isTight?: boolean;
};

/** Returns the address of an alert in the list of alerts. */
export const alertPath = (_id: string): string => `/meldingen?melding=${_id}`;

/** Number of alerts shown at first. A single further one is shown too, because the button for it takes as much space. */
const MAX_SHOWN_ITEMS = 3;

/** Shows the open alerts of a machine: reason, time and what to do; nothing if there are none. */
export function MachineAlerts({ serial, now, isTight }: MachineAlertsProps): ReactNode {
  const alerts = useAlertsOf(serial);
  const [isWhole, setWhole] = useState(false);
  if (alerts.length === 0) return null;
  const shown =
    isWhole || alerts.length <= MAX_SHOWN_ITEMS + 1
      ? inOrder(alerts)
      : inOrder(alerts).slice(0, MAX_SHOWN_ITEMS);
  return (
    <ul className={`${styles.alerts} stack`} data-tight={isTight} aria-label="Open meldingen">
      {shown.map((alert) => (
        <li key={alert._id} className="alert-card py-2 px-3" data-severity={alert.severity}>
          <MachineAlert alert={alert} now={now} />
        </li>
      ))}
      {shown.length < alerts.length && (
        <li>
          <button type="button" className="touch strong anchor left" onClick={() => setWhole(true)}>
            Toon alle {alerts.length} meldingen
          </button>
        </li>
      )}
    </ul>
  );
}

/** Sorts alerts about movement first, then urgent alerts. Equal alerts keep their order, the newest first. */
const inOrder = (alerts: readonly Alert[]): readonly Alert[] => {
  const rank = ({ kind, severity }: Alert): number =>
    showsPresentPosition(kind) ? 2 : Number(severity === 'urgent');
  return alerts.toSorted((a, b) => rank(b) - rank(a));
};

function MachineAlert({ alert, now }: { readonly alert: Alert; readonly now: number }): ReactNode {
  const { _id, kind, severity, words, taken } = alert;
  const { word, whatToDo } = kindDefinition(kind);
  return (
    <>
      <p className="cluster gap-x-3">
        <AlertMark severity={severity} />
        <TextLink to={alertPath(_id)}>{word}</TextLink>
      </p>
      <p>
        {words.charAt(0).toLocaleUpperCase('nl')}
        {words.slice(1)}, {alertTimeText(alert, now)}.
      </p>
      <p>{whatToDo}</p>
      {taken && <p className="quiet">{taken.by} pakt dit op</p>}
    </>
  );
}
