import type { Transports } from '#shared/contract/history.ts';
import { clockTime, dateAndTime, formatDistance } from '#shared/domain/nl.ts';

type Transport = Transports['transports'][number];

/** Returns 'Vervoerd: 32,4 km, van Gouda naar Zwolle' and '27-11-26, 08:05 tot 09:10', without unknown places. */
export function transportText({ from, to, metres, beginName, endName }: Transport): {
  readonly what: string;
  readonly when: string;
} {
  const where = [beginName && `van ${beginName}`, endName && `naar ${endName}`].filter(Boolean);
  const [left, came] = [dateAndTime(Date.parse(from)), dateAndTime(Date.parse(to))];
  const isSameDay = left.slice(0, 8) === came.slice(0, 8);
  return {
    what: [`Vervoerd: ${formatDistance(metres)}`, where.join(' ')].filter(Boolean).join(', '),
    when: `${left} tot ${isSameDay ? clockTime(Date.parse(to)) : came}`,
  };
}
