import type { ReactNode } from 'react';
import { type LegendLine, legendCodeColor, legendCodeName } from '#shared/domain/rail-legend.ts';
import styles from './rail-code-name.module.css';

/** Shows a code of a rail machine by its colour and name. */
export const RailCodeName = ({
  legend,
  code,
}: {
  readonly legend: readonly LegendLine[];
  readonly code: number;
}): ReactNode => (
  <>
    <span
      className={styles.colour}
      style={{ background: legendCodeColor(legend, code) }}
      aria-hidden="true"
    />
    {legendCodeName(legend, code)}
  </>
);
