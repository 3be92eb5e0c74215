import { nextShift } from '../work-week.ts';
import { type KindDeclaration, MINUTE_MS, minutesField, NO_FINDINGS, type TimerEvaluation } from './kind.ts';
import { silenceFinding, silenceText } from './silent.ts';

export const unseenSinceShiftStartKind = {
  word: 'Niet meer gezien',
  source: 'clock',
  explanation: 'De dienst is begonnen, en van de machine is sindsdien niets gehoord.',
  whatToDo: 'Vraag of de machine gebruikt wordt. Zo ja: kijk of de logger stroom en bereik heeft.',
  settings: { threshold: minutesField('Zo lang na het begin', 60, 5) },
  hasOwnHours: true,
  needs: 'last-seen',
  clauses: (of, { threshold }) => ({
    when: `van ${of} ${threshold} na het begin van de dienst nog niets is ontvangen`,
  }),
} satisfies KindDeclaration;

export const unseenSinceShiftStartEvaluation: TimerEvaluation<{ readonly silentMs: number }> = {
  evaluate({ lastSeenAt = Number.POSITIVE_INFINITY, week }, { threshold = 0 }, now) {
    const patience = threshold * MINUTE_MS;
    // Most machines have just reported; for them the slow search for a shift is skipped.
    const shift = lastSeenAt + patience > now ? undefined : nextShift(week, lastSeenAt);
    return shift
      ? silenceFinding(lastSeenAt, shift.from + patience, now, (now - shift.from) / MINUTE_MS)
      : NO_FINDINGS;
  },
  endedAt: ({ lastSeenAt }) => lastSeenAt,
  text: silenceText,
  sample: [{ silentMs: 3 * 3_600_000 }, 'al 3 uur niets gehoord'],
};
