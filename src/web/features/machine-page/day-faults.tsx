import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { faultKey, faultText } from '#shared/domain/fault-codes.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { readQuery } from '#web/queries/read.ts';
import { faultTimeText } from './fault-text.ts';
import { isoRange } from './history-queries.ts';

/** The list shows at most this many fault codes. */
const MAX_SHOWN_ITEMS = 20;

/** List of the fault codes that were active in the range. */
export function DayFaults({
  serial,
  range,
}: {
  readonly serial: string;
  readonly range: TimeRange;
}): ReactNode {
  const { data } = useQuery({
    ...readQuery('GET /api/fault/get', { query: { serial, ...isoRange(range), most: MAX_SHOWN_ITEMS } }),
    placeholderData: keepPreviousData,
  });
  if (!data || data.total === 0) return null;
  return (
    <>
      <ul className="stack gap-0" aria-label="Storingen in deze periode">
        {data.faults.map((fault) => (
          <li className="cluster gap-x-3" key={`${faultKey(fault)} ${fault.since}`}>
            <span>Storing: {faultText(fault)}</span>
            <span className="quiet">{faultTimeText(fault)}</span>
          </li>
        ))}
      </ul>
      {data.total > data.faults.length && (
        <p className="quiet">En nog {data.total - data.faults.length} storingen.</p>
      )}
    </>
  );
}
