import type { LoggerHealth, ReportedStatus } from '#shared/contract/writers.ts';
import { ageText, dateAndTime, formatNumber } from '#shared/domain/nl.ts';

const UNKNOWN = '--';

type StatusFactsProps = { readonly health: Pick<LoggerHealth, 'kind' | 'status' | 'config'> };

/** Shows what the logger reported in its last Status.json (a CANedge: in its last device.json), as parts of a `dl`. */
export function StatusFacts({ health: { kind, status, config } }: StatusFactsProps) {
  return (
    <>
      <dt>{kind === 'canedge' ? 'device.json' : 'Status.json'}</dt>
      <dd>{status === null ? 'nog niet ontvangen' : dateAndTime(Date.parse(status.receivedAt))}</dd>
      <dt>Firmware</dt>
      <dd>{status?.firmware ?? UNKNOWN}</dd>
      <dt>Vrije ruimte</dt>
      <dd>{freeSpaceText(status)}</dd>
      {kind === 'rexgen' && (
        <>
          <dt>Klok</dt>
          <dd>{clockDeviationText(status?.clockAheadS ?? null)}</dd>
        </>
      )}
      <dt>Configuratie</dt>
      <dd>{runningConfigText(status, config)}</dd>
    </>
  );
}

/** Returns for example '1.200 van 7.600 MB'. */
export function freeSpaceText(status: Pick<ReportedStatus, 'freeMb' | 'totalMb'> | null): string {
  if (!status || status.freeMb === null) return UNKNOWN;
  const free = formatNumber(Math.round(status.freeMb));
  return status.totalMb === null
    ? `${free} MB`
    : `${free} van ${formatNumber(Math.round(status.totalMb))} MB`;
}

/** Clocks up to this far apart count as equal: the clock is reported in whole seconds, and an upload takes time. */
const EQUAL_S = 2;

/**
 * Returns how far a logger's clock differs from the portal's.
 * @param aheadS how far the logger's clock is ahead, in seconds; null if unknown
 */
export function clockDeviationText(aheadS: number | null): string {
  if (aheadS === null) return UNKNOWN;
  if (Math.abs(aheadS) <= EQUAL_S) return 'loopt gelijk';
  return `loopt ${ageText(Math.abs(aheadS) * 1000)} ${aheadS > 0 ? 'voor' : 'achter'}`;
}

/** Returns the name of the running configuration, and whether it is the portal's newest. */
export function runningConfigText(
  status: Pick<ReportedStatus, 'configName'> | null,
  { runningSince, runsAnother }: Pick<LoggerHealth['config'], 'runningSince' | 'runsAnother'>,
): string {
  const origin = runningSince ? 'de nieuwste van het portaal' : runsAnother ? 'een andere' : undefined;
  const name = status?.configName ?? undefined;
  return [name, origin].filter((text) => text !== undefined).join(', ') || UNKNOWN;
}
