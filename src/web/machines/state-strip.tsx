import type { ReactNode } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import {
  STATE_STRIP_LABELS,
  STRIP_STATES,
  type StripCounts,
  type StripState,
  stateHint,
} from './fleet-filter.ts';
import styles from './state-strip.module.css';

type StateStripProps = {
  readonly counts: StripCounts;
  /** The state by which the machines are filtered; undefined if all machines are shown. */
  readonly state: StripState | undefined;
  /** Called with undefined to show all machines again. */
  readonly onChange: (state: StripState | undefined) => void;
};

/**
 * Buttons with the number of machines in each state, and of those that need attention. A button filters by its state; pressed again,
 * it shows all machines.
 */
export function StateStrip({ counts, state, onChange }: StateStripProps): ReactNode {
  return (
    <fieldset className={styles.strip}>
      <legend className="sr-only">Toon alleen machines die</legend>
      {STRIP_STATES.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.state}
          data-state={one}
          data-none={counts[one] === 0 || undefined}
          aria-pressed={one === state}
          title={stateHint(one, counts[one])}
          onClick={() => onChange(one === state ? undefined : one)}
        >
          <span className="larger bold tight">{formatNumber(counts[one])}</span>
          <span className={styles.word}>{STATE_STRIP_LABELS[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}
