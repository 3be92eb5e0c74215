import { ageText } from '#shared/domain/nl.ts';
import {
  type AlertFinding,
  HOUR_MS,
  type KindDeclaration,
  MINUTE_MS,
  NO_FINDINGS,
  type TimerEvaluation,
} from './kind.ts';

/** Machines that become silent within this time may share one cause. */
export const SHARED_SILENCE_WINDOW_MS = 10 * MINUTE_MS;

/** How long one machine has been silent, or how many machines of all became silent at once. */
type Figures = { readonly silentMs: number } | { readonly silent: number; readonly all: number };

export const silentKind = {
  word: 'Logger stil',
  source: 'clock',
  explanation: 'Het portaal heeft lang niets van de machine gehoord.',
  whatToDo: 'Kijk of de machine stroom heeft en bereik, en of de logger aan staat.',
  short: 'stil',
  settings: { threshold: { word: 'Niets gehoord in', unit: 'uur', least: 1, most: 720, usual: 24 } },
  needs: 'last-seen',
  clauses: (of, { threshold }) => ({ when: `van ${of} ${threshold} niets is ontvangen` }),
} satisfies KindDeclaration;

export const silentEvaluation: TimerEvaluation<Figures> = {
  togetherMs: SHARED_SILENCE_WINDOW_MS,
  evaluate: ({ lastSeenAt = Number.POSITIVE_INFINITY }, { threshold = 0 }, now) =>
    silenceFinding(lastSeenAt, lastSeenAt + threshold * HOUR_MS, now, (now - lastSeenAt) / HOUR_MS),
  endedAt: ({ lastSeenAt }) => lastSeenAt,
  text: (figures) =>
    'all' in figures
      ? `${figures.silent} van de ${figures.all} machines tegelijk stil: waarschijnlijk het netwerk`
      : silenceText(figures),
  sample: [{ silentMs: 26 * HOUR_MS }, 'al 1 dag niets gehoord'],
};

export const silenceText = ({ silentMs }: { readonly silentMs: number }): string =>
  `al ${ageText(silentMs)} niets gehoord`;

/** Returns the alert of a machine that is silent from `at` on. */
export const silenceFinding = (
  lastSeenAt: number,
  at: number,
  now: number,
  value: number,
): readonly AlertFinding<{ readonly silentMs: number }>[] =>
  at <= now
    ? [{ since: lastSeenAt, at, figures: { silentMs: now - lastSeenAt }, value, subject: '' }]
    : NO_FINDINGS;

const FEWEST = 5;
const SHARE = 0.3;

/**
 * Returns whether so many machines are silent that one alert replaces the alerts of the single machines.
 * @param all number of machines of the organization
 */
export const isSharedSilence = (count: number, all: number): boolean =>
  count >= FEWEST && count >= SHARE * all;
