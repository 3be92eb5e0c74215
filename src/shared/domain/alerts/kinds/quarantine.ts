import { formatNumber } from '#shared/domain/nl.ts';
import { type KindDeclaration, NO_FINDINGS, type PortalEvaluation } from './kind.ts';

/** Number of quarantined uploads of all loggers, and the logger with the most; `most`: the number of its quarantined uploads. */
type Figures = { readonly count: number; readonly loggerSerial: string; readonly most: number };

export const quarantineKind = {
  word: 'Quarantaine groeit',
  source: 'portal',
  explanation: 'In 24 uur kon van meer leveringen dan de grens geen geschiedenis worden gemaakt.',
  whatToDo: 'Kijk bij de logger van de machine wat de reden is.',
  settings: {
    threshold: { word: 'Meer dan', unit: 'leveringen', least: 0, most: 10_000, usual: 20 },
    clear: { word: 'Voorbij onder', unit: 'leveringen', least: 0, most: 10_000, usual: 10 },
  },
  fires: 'above',
  hasOwnHours: true,
  needs: 'quarantined',
  clauses: (_, { threshold, clear }) => ({
    when: `in 24 uur van meer dan ${threshold} leveringen geen geschiedenis kon worden gemaakt`,
    ends: `het er minder dan ${clear} zijn`,
  }),
} satisfies KindDeclaration;

export const quarantineEvaluation: PortalEvaluation<Figures> = {
  evaluate({ quarantined }, { threshold = 0, clear = threshold }, now, open) {
    const value = quarantined.reduce((sum, one) => sum + one.count, 0);
    if (open.has('') ? value < clear : value <= threshold) return NO_FINDINGS;
    const [most] = [...quarantined].sort((a, b) => b.count - a.count);
    const figures = { count: value, loggerSerial: most?.loggerSerial ?? '', most: most?.count ?? 0 };
    return [{ since: now, at: now, figures, value, subject: '' }];
  },
  text: ({ count, loggerSerial, most }) =>
    `${formatNumber(count)} in 24 uur, de meeste van logger ${loggerSerial} (${formatNumber(most)})`,
  sample: [
    { count: 21, loggerSerial: '7000010', most: 20 },
    '21 in 24 uur, de meeste van logger 7000010 (20)',
  ],
};
