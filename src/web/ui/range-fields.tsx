import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { RangeErrors, TimeRange } from '#shared/domain/time-range.ts';
import { Dialog } from './dialog.tsx';
import styles from './range-fields.module.css';

type RangeFieldsProps = {
  readonly range: TimeRange;
  readonly faults?: RangeErrors;
  /** ms; nothing later can be picked. */
  readonly latest: number;
  readonly onChange: (change: Partial<TimeRange>) => void;
};

/** Begin and end of a stretch of time. Not inside a form: the dialogs of its fields are forms themselves. */
export const RangeFields = ({ range, faults = {}, latest, onChange }: RangeFieldsProps): ReactNode => (
  <>
    <MomentField
      label="Begin"
      which="first"
      value={range.from}
      latest={latest}
      fault={faults.from}
      onChange={(from) => onChange({ from })}
    />
    <MomentField
      label="Eind"
      which="last"
      value={range.to}
      latest={latest}
      fault={faults.to}
      onChange={(to) => onChange({ to })}
    />
  </>
);

const MomentForm = lazy(async () => ({ default: (await import('./moment-form.tsx')).MomentForm }));

type MomentFieldProps = {
  readonly label: string;
  /** ms. */
  readonly value: number;
  readonly onChange: (ms: number) => void;
  /** Which of the two, of an hour that exists twice in October. */
  readonly which: 'first' | 'last';
  /** ms; later days cannot be picked. */
  readonly latest: number;
  /** A sentence about what is wrong with it. */
  readonly fault?: string | undefined;
};

/**
 * A day and a time, in Dutch and in Amsterdam's time whatever the browser's language and zone (APP-12): what it is,
 * and a dialog to pick another, whose calendar is fetched when it opens.
 */
export function MomentField({ label, value, onChange, which, latest, fault }: MomentFieldProps): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <button
        id={id}
        type="button"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={`${id}-fault`}
        data-fault={fault !== undefined}
        onClick={() => setOpen(true)}
      >
        {dateAndTime(value)}
      </button>
      <p id={`${id}-fault`} role="alert" className={styles.fault}>
        {fault}
      </p>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <Suspense
            fallback={<div className={styles.waiting} role="status" aria-label="Kalender wordt geladen" />}
          >
            <MomentForm
              wallClock={wallClockOf(value)}
              latestDay={wallClockOf(latest).slice(0, 10)}
              which={which}
              onPick={(ms) => {
                setOpen(false);
                onChange(ms);
              }}
              onCancel={() => setOpen(false)}
            />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}
