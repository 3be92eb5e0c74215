import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClosedWeek } from '#shared/contract/closed-weeks.ts';
import { dutchDate, formatFileSize, formatNumber } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import styles from './closed-weeks-panel.module.css';

/** Number of weeks that are shown at first. */
const FIRST = 8;

/** Panel 'Afgesloten weken': the readings of each week that is over, as a Parquet file. */
export function ClosedWeeksPanel({ serial }: { readonly serial: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const query = useQuery(readQuery('GET /api/machine/closed-week/:serial', { params: { serial } }));
  const { data, error } = query;
  const weeks = data?.weeks ?? [];
  const hasOwners = new Set(weeks.map(({ organization }) => organization)).size > 1;
  return (
    <Panel title="Afgesloten weken">
      <p className="quiet">
        Alle metingen van een week, als Parquet-bestand (voor DuckDB, pandas of Power BI).
      </p>
      <RetryAlert query={query} fallback="De afgesloten weken zijn niet geladen." />
      {data === undefined && !error && <p role="status">De afgesloten weken worden geladen</p>}
      {data?.weeks.length === 0 && (
        <EmptyState title="Er zijn nog geen afgesloten weken">
          <p>Een week met metingen staat hier een paar dagen nadat zij voorbij is.</p>
        </EmptyState>
      )}
      {weeks.length > 0 && (
        <ul className="rows">
          {weeks.slice(0, isWhole ? undefined : FIRST).map((week) => (
            <li key={`${week.monday} ${week.organization}`}>
              <span className={`${styles.week} strong`}>{weekText(week)}</span>
              <span className={`${styles.facts} grow quiet wrap`}>{factsText(week, hasOwners)}</span>
              <a
                className="text-link"
                href={filePath(serial, week)}
                download
                aria-label={`Download ${labelOf(week, hasOwners)}`}
              >
                Download
              </a>
            </li>
          ))}
        </ul>
      )}
      {!isWhole && weeks.length > FIRST && (
        <Button variant="default" size="md" onClick={() => setIsWhole(true)}>
          Toon alle {formatNumber(weeks.length)}
        </Button>
      )}
    </Panel>
  );
}

const weekText = ({ monday }: ClosedWeek): string => `Week van ${dutchDate(monday)}`;

const labelOf = (week: ClosedWeek, hasOwners: boolean): string =>
  hasOwners ? `${weekText(week)}, ${week.organizationName}` : weekText(week);

/** Returns '604.800 metingen, 4,6 MB', preceded by the owner's name if the weeks have several owners. */
function factsText({ organizationName, readings, bytes }: ClosedWeek, hasOwners: boolean): string {
  const count = `${formatNumber(readings)} ${readings === 1 ? 'meting' : 'metingen'}`;
  return [
    ...(hasOwners ? [organizationName] : []),
    count,
    ...(bytes === null ? [] : [formatFileSize(bytes)]),
  ].join(', ');
}

const filePath = (serial: string, { monday, organization }: ClosedWeek): string =>
  `/api/machine/closed-week/${encodeURIComponent(serial)}/${monday}?${new URLSearchParams({ organization })}`;
