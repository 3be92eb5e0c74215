import type { ReactNode } from 'react';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { hoursText } from '#shared/domain/nl.ts';
import { MACHINE_STATUS_LEGEND } from '#shared/domain/rail-legend.ts';
import { RailCodeName } from '#web/machines/rail-code-name.tsx';

const HOUR_MS = 3_600_000;

/** List of how long the machine was in each status in the whole period, and how long there were no data. */
export function StatusTotals({ totals }: { readonly totals: LmbData['totals'] }): ReactNode {
  if (!totals) return <p className="quiet">De uren per status zijn er voor een kortere periode.</p>;
  const { codes, noDataMs } = totals;
  // Lists the status codes of the legend that did not occur in the period with 0 hours.
  const msByCode = new Map([
    ...MACHINE_STATUS_LEGEND.map(({ value }) => [value, 0] as const),
    ...codes.map(({ value, ms }) => [value, ms] as const),
  ]);
  return (
    <dl className="tiles">
      {[...msByCode].map(([code, ms]) => (
        <div key={code}>
          <dt className="row gap-1 small">
            <RailCodeName legend={MACHINE_STATUS_LEGEND} code={code} />
          </dt>
          <dd className="strong">{hoursText(ms / HOUR_MS)}</dd>
        </div>
      ))}
      <div>
        <dt className="row gap-1 small">Geen gegevens</dt>
        <dd className="strong">{hoursText(noDataMs / HOUR_MS)}</dd>
      </div>
    </dl>
  );
}
