import type { ReactNode } from 'react';
import { ageText, lastSeenDetail } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { useLiveState } from './live.ts';

export const NO_CONNECTION_TEXT = 'Geen verbinding met het portaal';
export const PORTAL_ERROR_TEXT = 'Het portaal heeft een storing';

const MINUTE_MS = 60_000;

/** Shows during an outage its cause and the age of the shown data; otherwise nothing (LIVE-02). */
export function Outage(): ReactNode {
  const { failingSince, isServerError, dataAt } = useLiveState();
  const now = useNow(MINUTE_MS);
  if (failingSince === undefined) return null;
  const age = dataAt === undefined ? 0 : now - dataAt;
  return (
    <p>
      {isServerError ? PORTAL_ERROR_TEXT : NO_CONNECTION_TEXT}.
      {dataAt !== undefined && ` Gegevens van ${lastSeenDetail(dataAt / 1000, now)}`}
      {/* Hidden, so that a screen reader does not announce the age each minute. */}
      {age >= MINUTE_MS && <span aria-hidden="true">, {ageText(age)} oud</span>}
    </p>
  );
}
