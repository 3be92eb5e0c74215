import { type DbcMessage, matchesDbcName } from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import {
  type DbcsByBus,
  keptSignalTargets,
  type MappingTarget,
  mappedTargets,
} from '#server/telemetry/decode/mapping-targets.ts';
import type { Mapping } from '#shared/contract/definition.ts';

type FoundTargets = {
  readonly mapped: readonly MappingTarget[];
  readonly keptMessages: readonly DbcMessage[];
};

/**
 * Finds the signals that a mapping names: all entries together or, if that fails, in halves, so that every wrong entry is reported
 * and not only the first.
 * @param problems up to 20 reasons are added, in Dutch
 */
export function findMappedSignals(
  { signals, keep }: Mapping,
  dbcs: DbcsByBus,
  problems: string[],
): FoundTargets {
  if (signals.length === 0 && keep.length === 0)
    problems.push('Er is geen enkel signaal gekoppeld en geen bericht om te bewaren.');
  const whole: string[] = [];
  const mapped = attempt(() => mappedTargets(signals, dbcs), whole) ?? [];
  attempt(() => keptSignalTargets(keep, dbcs, mapped), whole);
  if (whole.length > 0) {
    const found: string[] = [];
    findEach(signals, (some) => mappedTargets(some, dbcs), found);
    findEach(keep, (some) => keptSignalTargets(some, dbcs, []), found);
    problems.push(...(found.length > 0 ? found : whole)); // each entry is right alone, but a name is used twice
  }
  const keptMessages = keep.flatMap(
    (kept) => dbcs.get(kept.bus)?.messages.filter((message) => matchesDbcName(message, kept.message)) ?? [],
  );
  return { mapped, keptMessages };
}

/** Maximum number of wrong entries that are reported: a person corrects a few at a time, and finding a thousand takes seconds. */
const MAX_LISTED = 20;

/** Halves a failing list until single entries are left. */
function findEach<Entry>(
  entries: readonly Entry[],
  find: (some: readonly Entry[]) => unknown,
  problems: string[],
): void {
  const failed: string[] = [];
  attempt(() => find(entries), failed);
  if (failed.length === 0 || problems.length >= MAX_LISTED) return;
  if (entries.length === 1) {
    problems.push(...failed);
    return;
  }
  const middle = entries.length >> 1;
  findEach(entries.slice(0, middle), find, problems);
  findEach(entries.slice(middle), find, problems);
}

function attempt<Result>(find: () => Result, problems: string[]): Result | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
