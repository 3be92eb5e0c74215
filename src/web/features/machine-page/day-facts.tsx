import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import { completenessMarks } from '#shared/domain/completeness.ts';
import { MIN_UNMARKED_KNOWN_SHARE } from '#shared/domain/figures.ts';
import { clockTime, formatDistance, formatPercent } from '#shared/domain/nl.ts';
import { readQuery } from '#web/queries/read.ts';
import { SESSIONS_POLL_MS } from './charging-queries.ts';
import { costText, unpricedText } from './cost-text.ts';
import styles from './day-facts.module.css';
import {
  drivenMetresOf,
  kilowattHoursText,
  secondsAsHoursText,
  UNUSED_LEVELS_EXPLANATION,
  unusedLevelsText,
  unusedPositionsText,
} from './day-text.ts';

/** Returns the cost of charging, if the owner has a tariff. */
const costFacts = ({ cost }: DailyFigures): readonly (readonly [string, string, string | undefined])[] =>
  cost === undefined ? [] : [['Laadkosten', costText(cost), unpricedText(cost)]];

const clock = (moment: string | null): string => (moment === null ? '--' : clockTime(Date.parse(moment)));

/** List of the figures of a machine on a day. */
export function DayFacts({
  serial,
  day,
}: {
  readonly serial: string;
  readonly day: DailyFigures;
}): ReactNode {
  const levels =
    useQuery({
      ...readQuery('GET /api/influx/unused-levels/:serialNumber', {
        params: { serialNumber: serial },
        query: { day: day.date },
      }),
      refetchInterval: SESSIONS_POLL_MS,
    }).data?.count ?? 0;
  const { coverage, known } = day;
  // The mark 'incomplete' beside each figure that is computed from incomplete data.
  const gap = completenessMarks(coverage, false)[0];
  const unknown =
    known !== null && known < MIN_UNMARKED_KNOWN_SHARE
      ? `over ${formatPercent(known * 100)} van de tijd bekend`
      : gap;
  const facts: readonly (readonly [name: string, value: string, note?: string | undefined, tip?: string])[] =
    [
      ['Eerste werk', clock(day.firstRunning)],
      ['Laatste werk', clock(day.lastRunning)],
      ['Eerste laden', clock(day.firstCharging)],
      ['Laatste laden', clock(day.lastCharging)],
      ['Draaiuren', secondsAsHoursText(day.running), gap],
      ['Laaduren', secondsAsHoursText(day.charging), gap],
      ['Stationair', secondsAsHoursText(day.idle), gap],
      ['Verbruikt', kilowattHoursText(day.out), day.out === null ? undefined : unknown],
      ['Geladen', kilowattHoursText(day.charged), day.charged === null ? undefined : unknown],
      ...costFacts(day),
      ['Teruggeleverd', kilowattHoursText(day.fedBack), day.fedBack === null ? undefined : unknown],
      ['Afstand', formatDistance(day.distance), gap],
      ['Zelf gereden', formatDistance(drivenMetresOf(day))],
      ['Vervoerd', formatDistance(day.carried)],
      ['Posities die niet tellen', unusedPositionsText(day.unused)],
      [
        'Laagste laadniveau',
        formatPercent(day.lowest ?? undefined),
        levels > 0 ? unusedLevelsText(levels) : undefined,
        UNUSED_LEVELS_EXPLANATION,
      ],
      ['Hoogste laadniveau', formatPercent(day.highest ?? undefined)],
      ['Dekking', coverage === null ? '--' : formatPercent(Math.floor(coverage * 100))],
      ['Project', day.projects.length > 0 ? day.projects.join(', ') : 'geen'],
    ];
  return (
    <>
      {day.isProvisional && (
        <p className="quiet">
          <strong>Voorlopig.</strong> Deze dag kan nog veranderen.
        </p>
      )}
      <dl className={`${styles.facts} rows`}>
        {facts.map(([name, value, note, tip]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {note && (
                <span className="block smaller normal alarming" title={tip}>
                  {note}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
