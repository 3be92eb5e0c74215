import { type ReactNode, useState } from 'react';
import { DEFAULT_NIGHT_HOURS } from '#shared/domain/periods.ts';
import { hasTimeRangeErrors, rangeErrors, type TimeRange } from '#shared/domain/time-range.ts';
import { useLastNight } from '#web/machines/last-night.ts';
import { areRangesAlike } from '#web/machines/range-address.ts';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import { type HistoryView, last24Hours, QUICK_RANGES } from './history-view.ts';
import styles from './range-pickers.module.css';

/** Buttons that pick a range. */
export function QuickRanges({ view }: { readonly view: HistoryView }): ReactNode {
  const night = useLastNight() ?? DEFAULT_NIGHT_HOURS;
  const options = QUICK_RANGES.map(({ label, rangeAt }) => {
    const range = rangeAt(Date.now(), night);
    return { label, isPicked: areRangesAlike(range, view.picked), onPick: () => view.setPicked(range) };
  });
  return <PickButtons legend="Periode" options={options} />;
}

type PickedRangeProps = {
  readonly view: HistoryView;
  /** Unix ms. */
  readonly now: number;
};

/** Fields for the start and end of the shown history. An invalid value shows its error and changes nothing (MDET-13). */
export function PickedRange({ view, now }: PickedRangeProps): ReactNode {
  const shown = view.picked ?? last24Hours(now);
  // The invalid range that the user typed, shown until the range in the URL changes. `over`: the range in the URL when
  // the user typed.
  const [draft, setDraft] = useState<{ readonly range: TimeRange; readonly over: string }>();
  const over = view.picked ? `${view.picked.from}/${view.picked.to}` : '';
  const range = draft && draft.over === over ? draft.range : shown;
  const errors = rangeErrors(range, Math.max(now, Date.now()));
  const pick = (change: Partial<TimeRange>): void => {
    const next = { ...range, ...change };
    const isSound = !hasTimeRangeErrors(rangeErrors(next, Date.now()));
    setDraft(isSound ? undefined : { range: next, over });
    if (isSound) view.setPicked(next);
  };
  return (
    <div className={`${styles.fields} fields-narrow`}>
      <RangeFields range={range} errors={errors} latest={now} onChange={pick} />
    </div>
  );
}
