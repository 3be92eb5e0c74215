import type { LoggerHealth, ReportedStatus } from '#shared/contract/writers.ts';
import { ageText, dateAndTime, plainNumber } from '#shared/domain/nl.ts';

const UNKNOWN = '--';

type StatusFactsProps = { readonly health: Pick<LoggerHealth, 'kind' | 'status' | 'config'> };

/** Shows what the logger says of itself in its last Status.json, a CANedge in device.json, as parts of a `dl`. */
export function StatusFacts({ health: { kind, status, config } }: StatusFactsProps) {
  return (
    <>
      <dt>{kind === 'canedge' ? 'device.json' : 'Status.json'}</dt>
      <dd>{status === null ? 'nog niet ontvangen' : dateAndTime(Date.parse(status.receivedAt))}</dd>
      <dt>Firmware</dt>
      <dd>{status?.firmware ?? UNKNOWN}</dd>
      <dt>Vrije ruimte</dt>
      <dd>{freeSpace(status)}</dd>
      {kind === 'rexgen' && (
        <>
          <dt>Klok</dt>
          <dd>{clockInWords(status?.clockAheadS ?? null)}</dd>
        </>
      )}
      <dt>Configuratie</dt>
      <dd>{runningConfig(status, config)}</dd>
    </>
  );
}

/** '1.200 van 7.600 MB'. */
export function freeSpace(status: Pick<ReportedStatus, 'freeMb' | 'totalMb'> | null): string {
  if (!status || status.freeMb === null) return UNKNOWN;
  const free = plainNumber(Math.round(status.freeMb));
  return status.totalMb === null ? `${free} MB` : `${free} van ${plainNumber(Math.round(status.totalMb))} MB`;
}

/** It is told in whole seconds, and an upload takes a moment. */
const EQUAL_S = 2;

/** A logger's clock against ours; `aheadS`: null when it is unknown. */
export function clockInWords(aheadS: number | null): string {
  if (aheadS === null) return UNKNOWN;
  if (Math.abs(aheadS) <= EQUAL_S) return 'loopt gelijk';
  return `loopt ${ageText(Math.abs(aheadS) * 1000)} ${aheadS > 0 ? 'voor' : 'achter'}`;
}

/** By the name that it has itself, and whether it is the newest of the portal. */
export function runningConfig(
  status: Pick<ReportedStatus, 'configName'> | null,
  { runningSince, runsAnother }: Pick<LoggerHealth['config'], 'runningSince' | 'runsAnother'>,
): string {
  const whose = runningSince ? 'de nieuwste van het portaal' : runsAnother ? 'een andere' : undefined;
  const name = status?.configName ?? undefined;
  return [name, whose].filter((words) => words !== undefined).join(', ') || UNKNOWN;
}
