import type { ReactNode } from 'react';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { completenessMarks } from '#shared/domain/completeness.ts';
import { formatDistance, hoursAsClock } from '#shared/domain/nl.ts';
import { yesterdayOf } from '#web/machines/range-address.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { useDayFiguresBetween } from './charging-queries.ts';
import { drivenMetresOf, kilowattHoursText } from './day-text.ts';
import { Section } from './section.tsx';

const ROWS: readonly { readonly name: string; readonly of: (day: DailyFigures) => string }[] = [
  { name: 'Draaiuren', of: ({ running }) => hoursAsClock(running / 3600) },
  { name: 'Verbruikt', of: ({ out }) => kilowattHoursText(out) },
  { name: 'Geladen', of: ({ charged }) => kilowattHoursText(charged) },
  { name: 'Afstand', of: (day) => formatDistance(day.distance) },
  { name: 'Zelf gereden', of: (day) => formatDistance(drivenMetresOf(day)) },
  { name: 'Vervoerd', of: (day) => formatDistance(day.carried) },
];

/** Panel with the figures of a machine of today and yesterday. @param now unix ms */
export function DayTotals({ serial, now }: { readonly serial: string; readonly now: number }): ReactNode {
  const [today, yesterday] = [amsterdamDay(now), yesterdayOf(now)];
  const { byDate, isKnown, query } = useDayFiguresBetween(serial, yesterday, today);
  const columns = [
    { head: 'Vandaag', day: byDate.get(today), isOngoing: true },
    { head: 'Gisteren', day: byDate.get(yesterday), isOngoing: false },
  ];
  return (
    <Section id="vandaag" title="Vandaag en gisteren" opens>
      <RetryAlert query={query} fallback="De cijfers van deze dagen zijn niet geladen." />
      <table className="table small" aria-busy={!isKnown}>
        <thead>
          <tr>
            <td />
            {columns.map(({ head, day, isOngoing }) => (
              <th key={head} scope="col">
                {head}
                {isKnown && <small className="block normal quiet">{noteOf(day, isOngoing)}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row" className="normal quiet">
                {name}
              </th>
              {columns.map(({ head, day }) => (
                <td className="strong nowrap" key={head}>
                  {day ? of(day) : '--'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/**
 * Returns how complete the figures of a day are. An unfinished day is always provisional, so it is not marked
 * as provisional.
 */
function noteOf(day: DailyFigures | undefined, isOngoing: boolean): string {
  if (!day) return 'geen gegevens';
  return completenessMarks(day.coverage, day.isProvisional && !isOngoing, day.known).join(', ');
}
