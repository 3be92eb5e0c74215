import type { ReactNode } from 'react';
import { plainNumber } from '#shared/domain/nl.ts';
import { STRIP_STATES, STRIP_WORDS, type StripCounts, type StripState, stateHint } from './fleet-filter.ts';
import styles from './state-strip.module.css';

type StateStripProps = {
  readonly counts: StripCounts;
  /** undefined: all are shown. */
  readonly state: StripState | undefined;
  /** undefined: all again. */
  readonly onChange: (state: StripState | undefined) => void;
};

/** How many machines run, charge, are off or silent, and how many want attention: each shows only those, pressed again all. */
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
          <span className={styles.count}>{plainNumber(counts[one])}</span>
          <span className={styles.word}>{STRIP_WORDS[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}
