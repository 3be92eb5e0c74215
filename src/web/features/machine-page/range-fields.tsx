import { type ReactNode, useState } from 'react';
import { MomentField } from '#web/ui/moment-field.tsx';
import { type HistoryRange, isFaulty, last24Hours, rangeFaults } from './history-range.ts';
import styles from './range-fields.module.css';
import type { HistoryView } from './use-history-view.ts';

type RangeFieldsProps = {
  readonly view: HistoryView;
  /** ms. */
  readonly now: number;
};

/** Start and end of the history that is shown. What cannot be is said at its field, and changes nothing (MDET-13). */
export function RangeFields({ view, now }: RangeFieldsProps): ReactNode {
  const shown = view.picked ?? last24Hours(now);
  // What was picked but is not sound; another range of the page's address takes its place.
  const [draft, setDraft] = useState<{ readonly range: HistoryRange; readonly over: string }>();
  const over = view.picked ? `${view.picked.start}/${view.picked.end}` : '';
  const range = draft && draft.over === over ? draft.range : shown;
  const faults = rangeFaults(range, Math.max(now, Date.now()));
  const pick = (change: Partial<HistoryRange>): void => {
    const next = { ...range, ...change };
    const isSound = !isFaulty(rangeFaults(next, Date.now()));
    setDraft(isSound ? undefined : { range: next, over });
    if (isSound) view.setPicked(next);
  };
  return (
    <div className={styles.fields}>
      <MomentField
        label="Begin"
        which="first"
        value={range.start}
        latest={now}
        fault={faults.start}
        onChange={(start) => pick({ start })}
      />
      <MomentField
        label="Eind"
        which="last"
        value={range.end}
        latest={now}
        fault={faults.end}
        onChange={(end) => pick({ end })}
      />
    </div>
  );
}
