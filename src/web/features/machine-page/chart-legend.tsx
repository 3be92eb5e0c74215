import type { ReactNode } from 'react';
import { statusLabel } from '#shared/domain/nl.ts';
import type { ChartLine } from '#web/chart/chart-paint.ts';
import styles from './chart-legend.module.css';

/** What the lines and bands are, drawn as they are drawn. */
export function ChartLegend({ lines }: { readonly lines: readonly ChartLine[] }): ReactNode {
  return (
    <ul className={styles.legend}>
      {lines.map(({ label, color, dash }) => (
        <li key={label}>
          <svg viewBox="0 0 32 12" aria-hidden="true">
            <path d="M1 6h30" stroke={color} strokeWidth="2.5" strokeDasharray={dash?.join(' ')} />
          </svg>
          {label}
        </li>
      ))}
      <li>
        <svg viewBox="0 0 32 12" aria-hidden="true">
          <path d="M0 0h32v8H0z" fill="var(--running)" opacity="0.2" />
          <path d="M0 8h32v4H0z" fill="var(--running)" />
        </svg>
        {statusLabel('running')}
      </li>
      <li>
        <svg viewBox="0 0 32 12" aria-hidden="true">
          <path d="M0 0h32v8H0z" fill="var(--charging)" opacity="0.2" />
          <path d="M2 8l8-8M12 8l8-8M22 8l8-8" stroke="var(--charging)" strokeWidth="1.25" />
          <path d="M0 8h32v4H0z" fill="var(--charging)" />
        </svg>
        {statusLabel('charging')}
      </li>
    </ul>
  );
}
