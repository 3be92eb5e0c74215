import {
  compareBySeverity,
  type FaultCode,
  type FaultEpisode,
  faultKey,
  faultSourceText,
  faultText,
  LAMP_TEXTS,
} from '#shared/domain/fault-codes.ts';
import { MAX_READING_DELAY_MS } from '../machine-state.ts';
import {
  type KindDeclaration,
  MINUTE_MS,
  minutesField,
  pendingPeriodField,
  type TimerEvaluation,
} from './kind.ts';

type Figures = FaultCode & Pick<FaultEpisode, 'bus' | 'source' | 'lamp'>;

/** Maximum fault alerts per machine: an ECU that lost its power may report hundreds of codes. */
const MAX_FAULTS = 20;

export const faultKind = {
  word: 'Storing actief',
  source: 'clock',
  explanation: 'Een besturing (ECU) van de machine meldt een storingscode.',
  whatToDo:
    'Kijk bij Storingen op de pagina van de machine welke code het is. Brandt de rode stoplamp? Zet de machine stil.',
  short: 'storing',
  settings: { hold: pendingPeriodField(0), clearHold: minutesField('Voorbij na', 10) },
  needs: 'faults',
  clauses: (of, { hold, clearHold }) => ({
    when: `een besturing van ${of}${hold} een storingscode meldt`,
    ends: `de code${clearHold} weg is`,
  }),
} satisfies KindDeclaration;

export const faultEvaluation: TimerEvaluation<Figures> = {
  evaluate({ faults }, { hold = 0, clearHold = 0 }, now, _, open) {
    const found = [...newestOfEach(faults)].flatMap(([subject, episode]) => {
      const isOpen = open.has(subject);
      const stays = isOpen && (episode.over === null || now - episode.over < clearHold * MINUTE_MS);
      const begins = episode.over === null && episode.lastSeen - episode.since >= hold * MINUTE_MS;
      if (!stays && !(begins && now - episode.lastSeen <= MAX_READING_DELAY_MS)) return [];
      return [{ ...episode, subject, isOpen }];
    });
    return found
      .sort((one, other) => Number(other.isOpen) - Number(one.isOpen) || compareBySeverity(one, other))
      .slice(0, MAX_FAULTS)
      .map(({ since, subject, bus, source, spn, fmi, isOldLayout, lamp }) => ({
        since,
        at: since + hold * MINUTE_MS,
        figures: { bus, source, spn, fmi, isOldLayout, lamp },
        subject,
      }));
  },
  // An alert ends when the ECU reported that the fault is over, not when the evaluation noticed it.
  endedAt({ faults }, subject) {
    const ends = faults.flatMap((one) =>
      faultKey(one) === subject ? [one.over ?? Number.POSITIVE_INFINITY] : [],
    );
    const end = Math.max(...ends);
    return Number.isFinite(end) ? end : undefined;
  },
  text: (figures) =>
    [
      faultText(figures),
      ...(figures.lamp === null ? [] : [LAMP_TEXTS[figures.lamp]]),
      faultSourceText(figures),
    ].join('; '),
  sample: [
    { bus: 0, source: 0x21, spn: 100, fmi: 1, isOldLayout: false, lamp: 'stop' },
    'SPN 100, FMI 1: waarde veel te laag (ernstig); Stoplamp (rood); ECU 0x21 op can0',
  ],
};

/** Returns the newest episode of each code. */
function newestOfEach(faults: readonly FaultEpisode[]): ReadonlyMap<string, FaultEpisode> {
  const newest = new Map<string, FaultEpisode>();
  for (const one of faults) {
    const key = faultKey(one);
    if ((newest.get(key)?.since ?? Number.NEGATIVE_INFINITY) < one.since) newest.set(key, one);
  }
  return newest;
}
