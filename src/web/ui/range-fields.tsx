import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { RangeErrors, TimeRange } from '#shared/domain/time-range.ts';
import { Dialog } from './dialog.tsx';
import styles from './range-fields.module.css';

type RangeFieldsProps = {
  readonly range: TimeRange;
  readonly errors?: RangeErrors;
  /** Latest time that can be picked, in Unix milliseconds. */
  readonly latest: number;
  readonly onChange: (change: Partial<TimeRange>) => void;
};

/** Inputs for the start and end of a period. Do not use inside a form: the dialogs of the inputs are forms themselves. */
export const RangeFields = ({ range, errors = {}, latest, onChange }: RangeFieldsProps): ReactNode => (
  <>
    <MomentField
      label="Begin"
      which="first"
      value={range.from}
      latest={latest}
      error={errors.from}
      onChange={(from) => onChange({ from })}
    />
    <MomentField
      label="Eind"
      which="last"
      value={range.to}
      latest={latest}
      error={errors.to}
      onChange={(to) => onChange({ to })}
    />
  </>
);

const MomentForm = lazy(async () => ({ default: (await import('./moment-form.tsx')).MomentForm }));

type MomentFieldProps = {
  readonly label: string;
  /** Unix milliseconds. */
  readonly value: number;
  readonly onChange: (ms: number) => void;
  /** The instant that is chosen for a clock time that occurs twice, in the hour that is repeated at the end of October. */
  readonly which: 'first' | 'last';
  /** Latest time whose day can be picked, in Unix milliseconds. */
  readonly latest: number;
  readonly error?: string | undefined;
};

/**
 * Shows a day and a time in Dutch and in Amsterdam time, whatever the browser's language and time zone (APP-12). A click
 * opens a dialog to pick another, whose code is loaded when it opens.
 */
export function MomentField({ label, value, onChange, which, latest, error }: MomentFieldProps): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={`${styles.field} stack gap-1 content-top shrink`}>
      <span id={`${id}-label`} className="small strong">
        {label}
      </span>
      <button
        className="outlined touch px-2 left nowrap"
        id={id}
        type="button"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={`${id}-error`}
        data-error={error !== undefined}
        onClick={() => setOpen(true)}
      >
        {dateAndTime(value)}
      </button>
      <p id={`${id}-error`} role="alert" className="small alarming">
        {error}
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
