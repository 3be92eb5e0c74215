import { ageText } from '#shared/domain/nl.ts';
import { DAY_MS, type KindDeclaration, NO_FINDINGS, type PortalEvaluation } from './kind.ts';

/** The age of the newest backup if it is too old, and why the scheduled backup fails. */
type Figures = { readonly ageMs?: number; readonly reason?: string };

export const backupOldKind = {
  word: 'Back-up te oud of mislukt',
  source: 'portal',
  explanation:
    'De laatste back-up die is teruggelezen is langer geleden dan de grens, of een back-up van BACKUP_AT mislukt.',
  whatToDo:
    'Maak een back-up (npm run backup), en kijk in de logregels van het portaal waarom dat niet vanzelf gebeurde.',
  settings: { threshold: { word: 'Ouder dan', unit: 'dagen', least: 1, most: 365, usual: 2 } },
  severity: 'urgent',
  hasOwnHours: true,
  isFirst: true,
  needs: 'backup',
  clauses: (_, { threshold }) => ({
    when: `de laatste back-up die is teruggelezen ouder is dan ${threshold}, of een back-up mislukt`,
  }),
} satisfies KindDeclaration;

export const backupOldEvaluation: PortalEvaluation<Figures> = {
  evaluate({ backupAt, backupFailure }, { threshold = 0 }, now) {
    const isOld = backupAt + threshold * DAY_MS <= now;
    if (!isOld && !backupFailure) return NO_FINDINGS;
    const figures = {
      ...(isOld && { ageMs: now - backupAt }),
      ...(backupFailure && { reason: backupFailure.reason }),
    };
    const since = isOld ? backupAt : (backupFailure?.since ?? now);
    return [{ since, at: now, figures, value: (now - backupAt) / DAY_MS, subject: '' }];
  },
  text: ({ ageMs, reason }) =>
    [
      ...(ageMs === undefined ? [] : [`al ${ageText(ageMs)} geen back-up gemaakt`]),
      ...(reason === undefined ? [] : [`de back-up van BACKUP_AT mislukt: ${reason}`]),
    ].join('; '),
  sample: [
    { ageMs: 3 * DAY_MS, reason: 'de schijf is vol' },
    'al 3 dagen geen back-up gemaakt; de back-up van BACKUP_AT mislukt: de schijf is vol',
  ],
};
