import { type ReactNode, useState } from 'react';
import { isFaulty, rangeFaults, type TimeRange } from '#shared/domain/time-range.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import styles from './range-form.module.css';

const DAY_MS = 86_400_000;

type RangeFormProps = {
  /** What is shown now. */
  readonly range: TimeRange;
  readonly isBusy: boolean;
  readonly onUpdate: (range: TimeRange) => void;
};

/** Start, end and 'Update Data' (LOG-04). */
export function RangeForm({ range, isBusy, onUpdate }: RangeFormProps): ReactNode {
  const [typed, setTyped] = useState(range);
  const [asked, setAsked] = useState(false);
  const now = Date.now();
  // A day that is not over can be picked whole, as the server cuts it.
  const faults = asked ? rangeFaults(typed, now + DAY_MS) : {};
  const change = (changes: Partial<TimeRange>): void => setTyped((before) => ({ ...before, ...changes }));
  const send = (): void => {
    setAsked(true);
    if (!isBusy && !isFaulty(rangeFaults(typed, now + DAY_MS))) onUpdate(typed);
  };
  // No form element: the dialogs of its fields are forms themselves.
  return (
    <fieldset className={styles.form}>
      <legend className="sr-only">Periode</legend>
      <RangeFields range={typed} faults={faults} latest={now} onChange={change} />
      <BusyButton isBusy={isBusy} onClick={send}>
        Update Data
      </BusyButton>
    </fieldset>
  );
}
