import { ageText, formatNumber } from '#shared/domain/nl.ts';
import { type KindDeclaration, MINUTE_MS, minutesField, NO_FINDINGS, type PortalEvaluation } from './kind.ts';

/**
 * Number of mails that have waited for longer than the threshold, how long they have waited, and number of
 * mails that were given up.
 */
type Figures = { readonly waiting: number; readonly waitingMs: number; readonly givenUp: number };

export const mailFailingKind = {
  word: 'Mail komt niet weg',
  source: 'portal',
  explanation: 'Een mail wacht langer dan de grens omdat versturen mislukt, of is opgegeven.',
  whatToDo: 'Kijk in de logregels van het portaal waarom, en of SMTP_URL nog klopt.',
  settings: { threshold: minutesField('Langer dan', 30, 5) },
  hasOwnHours: true,
  isFirst: true,
  needs: 'mails',
  clauses: (_, { threshold }) => ({
    when: `een mail langer dan ${threshold} wacht doordat versturen mislukt, of is opgegeven`,
  }),
} satisfies KindDeclaration;

export const mailFailingEvaluation: PortalEvaluation<Figures> = {
  evaluate({ mails }, { threshold = 0 }, now) {
    const { since = now, waiting, givenUp } = mails;
    const isLate = waiting > 0 && since + threshold * MINUTE_MS <= now;
    if (!isLate && givenUp === 0) return NO_FINDINGS;
    const figures = { waiting: isLate ? waiting : 0, waitingMs: now - since, givenUp };
    const late = isLate && { value: (now - since) / MINUTE_MS };
    return [{ since: isLate ? since : now, at: now, figures, ...late, subject: '' }];
  },
  text: ({ waiting, waitingMs, givenUp }) =>
    [
      ...(waiting > 0 ? [`${mailsText(waiting)} al ${ageText(waitingMs)} niet verstuurd`] : []),
      ...(givenUp > 0 ? [`${mailsText(givenUp)} opgegeven`] : []),
    ].join(', '),
  sample: [
    { waiting: 1, waitingMs: 45 * MINUTE_MS, givenUp: 2 },
    '1 mail al 45 min niet verstuurd, 2 mails opgegeven',
  ],
};

const mailsText = (count: number): string => (count === 1 ? '1 mail' : `${formatNumber(count)} mails`);
