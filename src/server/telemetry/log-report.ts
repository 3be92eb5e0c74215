/** Reports to administrators how many readings a log file gave, and why some or all of its content gave none. */
import type { Definition } from '#shared/contract/definition.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { DeliveryFinding, FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { isFrameFormat, type LogFormat } from './decode/log-file-name.ts';
import { type LogStats, summarizeSkippedParts } from './decode/log-outcome.ts';

export type DecodingPass = {
  readonly definition: Definition;
  /** Whether the binding still uses this definition. */
  readonly isPresent: boolean;
  readonly stats: LogStats;
  /** Undefined when the definition has no J1939. */
  readonly busReport: BusReport | undefined;
  readonly remarks: readonly FormatFinding[];
  /** How far the logger's clock is off. */
  readonly clockError?: FormatFinding | undefined;
};

export type LogReport = {
  readonly format: LogFormat;
  /** Number of readings that are stored now. */
  readonly readings: number;
  /** Why a part of the file is not in the history. */
  readonly findings: readonly DeliveryFinding[];
  /**
   * The result of decoding by the definition that was valid at the file's time; undefined when the logger was not bound at that time,
   * and when the decoding ended with an error.
   */
  readonly pass: DecodingPass | undefined;
  readonly summary: LogSummary | undefined;
  /** Earliest and latest time in the file, in ms. */
  readonly span: Range | undefined;
  /** Quarantined readings, by reason. Default: none. */
  readonly quarantined?: readonly DeliveryFinding[];
};

/** Returns the findings about a file; the first is its number of readings. A file without readings always gets a reason. */
export function logFindingsOf(report: LogReport): DeliveryFinding[] {
  const { readings, findings, pass, quarantined = [] } = report;
  const isUnexplained = readings === 0 && quarantined.length === 0 && findings.every(isPartial);
  return [
    { kind: 'readings', count: readings },
    ...quarantined,
    ...findings,
    ...(isUnexplained ? [noReadings(report)] : []),
    ...(pass ? summarizeSkippedParts(pass.stats, pass.remarks) : []),
    ...(pass?.clockError ? [pass.clockError] : []),
  ];
}

/** Returns whether a finding is about a part only, so that it does not explain why the rest of a file gave no readings. */
const isPartial = ({ kind }: DeliveryFinding): boolean =>
  kind === 'partly-unbound' || kind === 'impossible-times';

export const unboundFinding = (span: Range | undefined): DeliveryFinding => ({
  kind: 'unbound',
  from: span?.from ?? null,
});

/** Returns the reason why a completely read file gave no reading. */
function noReadings({ format, pass, span, summary }: LogReport): DeliveryFinding {
  if (!pass) return unboundFinding(span);
  const { isPresent, stats } = pass;
  const { frames, values, remoteFrames, errorFrames } = stats;
  const { refusedTimes, unknownIds, decodedFrames } = stats;
  if (frames === 0 && values === 0)
    return { kind: remoteFrames + errorFrames > 0 ? 'only-bus-errors' : 'empty-file' };
  const { mapping } = pass.definition;
  if (decodedFrames > 0)
    return {
      kind: 'no-usable-value',
      count: decodedFrames,
      what: isFrameFormat(format) ? 'frames' : 'rows',
      isPresent,
    };
  if (mapping.signals.length + mapping.keep.length === 0) return { kind: 'nothing-mapped', isPresent };
  if (unknownIds + refusedTimes >= frames)
    return { kind: 'identifiers-unknown', frames, identifiers: summary?.unknownIdentifiers ?? 0, isPresent };
  return { kind: 'signals-not-mapped', frames, isPresent };
}
