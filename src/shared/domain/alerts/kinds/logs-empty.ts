import {
  type DeliveryFinding,
  dutchFindingsText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import type { KindDeclaration, PortalEvaluation } from './kind.ts';

type Figures = { readonly count: number; readonly findings: readonly DeliveryFinding[] };

export const logsEmptyKind = {
  word: 'Logbestanden leveren niets op',
  source: 'portal',
  explanation: 'Van de laatste logbestanden van een logger is geen enkele meting gemaakt.',
  whatToDo: 'Kijk bij Logbestanden van de machine wat de reden is: vaak hoort de datadefinitie er niet bij.',
  short: 'leeg log',
  settings: { threshold: { word: 'Vanaf', unit: 'bestanden', least: 1, most: 100, usual: 10 } },
  hasOwnHours: true,
  needs: 'empty-logs',
  clauses: (_, { threshold }) => ({
    when: `de laatste ${threshold} logbestanden van een logger geen enkele meting opleveren`,
  }),
} satisfies KindDeclaration;

export const logsEmptyEvaluation: PortalEvaluation<Figures> = {
  evaluate: ({ emptyLogs }, { threshold = 0 }, now) =>
    emptyLogs
      .filter(({ count }) => count >= threshold)
      .map(({ serial, count, since, findings }) => ({
        since,
        at: now,
        figures: { count, findings },
        value: count,
        subject: serial,
      })),
  text: ({ count, findings }) =>
    `de laatste ${formatNumber(count)} logbestanden: ${dutchFindingsText(findings)}`,
  sample: [
    { count: 10, findings: [{ kind: 'readings', count: 0 }] },
    'de laatste 10 logbestanden: 0 metingen',
  ],
};
