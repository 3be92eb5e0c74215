import type { Target } from '#server/telemetry/decode/mapping-targets.ts';
import { isSignalName, TIME_NAMES } from '#server/telemetry/decode/reading-rules.ts';
import { fitsFloat } from './float-text.ts';
import { isLoggerText } from './logger-text.ts';
import type { PlannedSignal } from './signal-plan.ts';

/** Why the logger cannot send this signal, in Dutch; undefined when it can. */
export function signalProblem({ name, signal, factor, offset }: PlannedSignal): string | undefined {
  if (TIME_NAMES.some((time) => time === name))
    return `${name} is de tijd van de meting en kan geen doel zijn.`;
  // The name becomes a key of the logger's JSON; whether its firmware escapes anything is not known.
  if (!isSignalName(name) || !isLoggerText(name) || /["\\]/.test(name))
    return `De naam ${name} kan de logger niet versturen: alleen gewone letters, cijfers en leestekens kunnen.`;
  if (!fitsFloat(factor) || !fitsFloat(offset))
    return `Signaal ${signal.name}: factor ${factor} of offset ${offset} past niet in de logger.`;
  return undefined;
}

/** Warnings in Dutch about what a configuration has no means for. */
export function whatCannotBeSent(mapped: readonly Target[], sendable: number): string[] {
  const warnings: string[] = [];
  if (sendable === 0) warnings.push('De momentopname bevat alleen de positie: geen signaal gaat mee.');
  const multiplexed = mapped.filter(({ signal }) => signal.activeWhen !== undefined).map(({ name }) => name);
  if (multiplexed.length > 0)
    warnings.push(
      `De logger kent geen multiplexing. Niet in de momentopname, wel in het logbestand: ${enumerate(multiplexed)}.`,
    );
  return warnings;
}

const MOST_NAMES = 10;

function enumerate(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (rest > 0 ? ` en nog ${rest}` : '');
}
