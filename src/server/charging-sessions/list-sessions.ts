import { segmentsOf } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { type OwnHistory, seesPlaceAt } from '#server/streams/scope.ts';
import type { Session } from '#shared/contract/charging-sessions.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readProjectsAt, readSessions, type StoredSession } from './stored-sessions.ts';

/** Of one answer. */
const MOST = 200;
const MJ_PER_KWH = 3.6e9;

/** The sessions of a machine that began in a range, while it was the caller's. */
export async function listSessions(
  db: Database,
  scope: Scope,
  history: OwnHistory,
  range: Range,
  now: number,
): Promise<{ sessions: Session[]; hasMore: boolean }> {
  const { streamId, own } = history;
  const found = await readSessions(db, streamId, segmentsOf(range, own), MOST + 1, now);
  const shown = found.slice(0, MOST);
  const projects = await readProjectsAt(
    db,
    streamId,
    shown.map(({ from }) => from),
    scope.limited?.projects ?? null,
  );
  return {
    sessions: shown.map((session) => {
      const project = projects.get(session.from);
      const seesPlace = seesPlaceAt(scope, session.from);
      return {
        ...sessionOf(session),
        ended: session.ended,
        place: seesPlace ? placeOf(session) : null,
        project: project && (seesPlace || project.byHand) ? project.name : null,
      };
    }),
    hasMore: found.length > MOST,
  };
}

const placeOf = ({ lat, lon }: StoredSession): Session['place'] =>
  lat === null || lon === null ? null : { lat, lon };

function sessionOf(session: StoredSession): Omit<Session, 'ended' | 'place' | 'project'> {
  const { from, to, chargingMs, fullMs, chargedMj, watts, socFrom, socTo } = session;
  const isKnown = chargedMj > 0;
  return {
    start: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
    charging: chargingMs / 1000,
    pauses: (to - from - chargingMs) / 1000,
    full: fullMs / 1000,
    kWh: isKnown ? chargedMj / MJ_PER_KWH : null,
    // mJ / ms is W.
    meanKw: isKnown && chargingMs > 0 ? chargedMj / chargingMs / 1000 : null,
    highestKw: watts === undefined ? null : watts / 1000,
    packs: socFrom
      .map((begin, pack) => ({ number: pack + 1, begin: begin ?? null, end: socTo[pack] ?? null }))
      .filter(({ begin, end }) => begin !== null || end !== null),
  };
}
