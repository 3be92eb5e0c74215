import { readPricesOfOwners } from '#server/charging-tariffs/tariffs.store.ts';
import { pricingOfSession } from '#server/charging-tariffs/terrein-charging.ts';
import { ownedSegmentsOf } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { readPlaceNames } from '#server/streams/place-names.ts';
import { maySeePositionAt, type OwnHistory } from '#server/streams/scope.ts';
import type { ChargingSessionView } from '#shared/contract/charging-sessions.ts';
import type { Scope } from '#shared/domain/access.ts';
import {
  type ChargingCost,
  costOf,
  type HourlyPriceLookup,
  startOfHour,
} from '#shared/domain/charging-tariffs.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { withProjectName } from '#shared/domain/place-text.ts';
import { toCostAnswer } from '#shared/domain/reports/charging-costs.ts';
import { readProjectsAtSessionStarts, readSessions, type StoredSession } from './stored-sessions.ts';

/** Maximum number of sessions in one answer. */
const MOST = 200;
const MJ_PER_KWH = 3.6e9;

/** Returns the sessions of a machine that began in a range, in the caller's ownership. */
export async function listSessions(
  db: Database,
  scope: Scope,
  history: OwnHistory,
  range: Range,
  now: number,
): Promise<{ sessions: ChargingSessionView[]; hasMore: boolean }> {
  const { streamId, own } = history;
  const found = await readSessions(db, streamId, ownedSegmentsOf(range, own), MOST + 1, now);
  const shown = found.slice(0, MOST);
  const prices = await readPricesOfOwners(db, scope, streamId);
  const pricing = (session: StoredSession): HourlyPriceLookup | undefined => {
    const { from, lat, lon, terreinId } = session;
    const owner = prices?.owners.find((one) => one.from <= from && from < one.to);
    const place = { from, latitude: lat, longitude: lon, terreinId };
    return prices && owner && pricingOfSession(prices, owner.organizationId, place);
  };
  const projects = await readProjectsAtSessionStarts(
    db,
    streamId,
    shown.map(({ from }) => from),
    scope.limited?.projects ?? null,
  );
  const nameOf = await readPlaceNames(db, scope, [streamId]);
  return {
    sessions: shown.map((session) => {
      const found = projects.get(session.from);
      const seesPlace = maySeePositionAt(scope, session.from);
      const place = seesPlace ? placeOf(session) : null;
      const project = found && (seesPlace || found.byHand) ? found.name : null;
      const named = place && withProjectName(nameOf(streamId, place, session.from), project);
      return {
        ...sessionOf(session),
        ...(prices && { cost: toCostAnswer(costOfSession(pricing(session), session)) }),
        ended: session.ended,
        place,
        placeName: named?.name ?? null,
        project,
      };
    }),
    hasMore: found.length > MOST,
  };
}

/** Returns the cost of a session; null when its energy is unknown. */
const costOfSession = (
  price: HourlyPriceLookup | undefined,
  { from, chargedMj, hours }: StoredSession,
): ChargingCost | null =>
  chargedMj > 0 ? costOf(price, { chargedMj, firstHour: startOfHour(from), hours }) : null;

const placeOf = ({ lat, lon }: StoredSession): ChargingSessionView['place'] =>
  lat === null || lon === null ? null : { lat, lon };

function sessionOf(
  session: StoredSession,
): Omit<ChargingSessionView, 'ended' | 'place' | 'placeName' | 'project'> {
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
