import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import type { Alert } from '#shared/contract/alerts.ts';
import { kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { alertPath } from '#web/machines/machine-alerts.tsx';
import { useAlertsOf } from '#web/machines/open-alerts.ts';
import { readQuery } from '#web/queries/read.ts';

const NONE: readonly Alert[] = [];
const POLL_MS = 60_000;

/** Returns the alerts of a machine that fired in the range, by time, without withdrawn ones. */
export function useAlertsWithin(serial: string, { from, to }: TimeRange): readonly Alert[] {
  const open = useAlertsOf(serial);
  const { data } = useQuery({
    ...readQuery('GET /api/alert/get', { query: { state: 'resolved', serial } }),
    refetchInterval: POLL_MS,
  });
  const closed = data?.alerts ?? NONE;
  return useMemo(() => {
    const all = [...open, ...closed.filter(({ _id }) => open.every((alert) => alert._id !== _id))];
    const within = all.filter(({ since, state }) => {
      const at = Date.parse(since);
      return state !== 'withdrawn' && at >= from && at <= to;
    });
    return within.length === 0 ? NONE : within.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  }, [open, closed, from, to]);
}

/** The list shows at most this many of the newest alerts. */
const MAX_SHOWN_ITEMS = 20;

/** List of the alerts that are marked in the chart, each with a link. */
export function DayAlerts({ alerts }: { readonly alerts: readonly Alert[] }): ReactNode {
  if (alerts.length === 0) return null;
  return (
    <ul className="stack gap-0" aria-label="Meldingen in deze periode">
      {alerts.slice(-MAX_SHOWN_ITEMS).map(({ _id, kind, words, since }) => (
        <li className="cluster gap-x-3" key={_id}>
          <Link className="inline gap-0 touch" to={alertPath(_id)}>
            {dateAndTime(Date.parse(since))}: {kindDefinition(kind).word}
          </Link>
          <span className="quiet">{words}</span>
        </li>
      ))}
    </ul>
  );
}
