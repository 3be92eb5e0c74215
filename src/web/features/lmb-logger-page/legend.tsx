import { memo, type ReactNode } from 'react';
import { codeColor, codeName } from '#shared/domain/rail-legend.ts';
import { codesOf } from './chart-data.ts';
import styles from './legend.module.css';
import type { Timeline } from './rail-data.ts';

type LegendProps = { readonly label: string; readonly title?: string; readonly timeline: Timeline };

/** What the colours of a timeline mean, codes outside its legend too. */
export const Legend = memo(function Legend({ label, title, timeline }: LegendProps): ReactNode {
  return (
    <div className={styles.legend}>
      {title && <span className={styles.title}>{title}</span>}
      <ul aria-label={label}>
        {codesOf(timeline).map((code) => (
          <li key={code}>
            <span
              className={styles.colour}
              style={{ background: codeColor(timeline.legend, code) }}
              aria-hidden="true"
            />
            {codeName(timeline.legend, code)}
          </li>
        ))}
      </ul>
    </div>
  );
});
