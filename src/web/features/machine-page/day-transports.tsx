import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { readQuery } from '#web/queries/read.ts';
import { isoRange } from './history-queries.ts';
import { transportText } from './transport-text.ts';

/** The list shows at most this many transports. */
const MAX_SHOWN_ITEMS = 20;

/** List of the transports that overlap the range. */
export function DayTransports({
  serial,
  range,
}: {
  readonly serial: string;
  readonly range: TimeRange;
}): ReactNode {
  const { data } = useQuery({
    ...readQuery('GET /api/influx/transports/:serialNumber', {
      params: { serialNumber: serial },
      query: isoRange(range),
    }),
    placeholderData: keepPreviousData,
  });
  if (!data || data.transports.length === 0) return null;
  const more = data.transports.length - MAX_SHOWN_ITEMS;
  return (
    <>
      <ul className="stack gap-0" aria-label="Vervoer in deze periode">
        {data.transports.slice(0, MAX_SHOWN_ITEMS).map((transport) => {
          const { what, when } = transportText(transport);
          return (
            <li className="cluster gap-x-3" key={transport.from}>
              <span>{what}</span>
              <span className="quiet">{when}</span>
            </li>
          );
        })}
      </ul>
      {more > 0 && (
        <p className="quiet">
          En nog {more} keer{data.hasMore && ' of meer'}; het rapport Vervoer heeft ze alle.
        </p>
      )}
    </>
  );
}
