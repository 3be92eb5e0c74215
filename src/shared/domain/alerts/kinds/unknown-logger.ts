import { formatNumber } from '#shared/domain/nl.ts';
import type { KindDeclaration, PortalEvaluation } from './kind.ts';

/** Maximum number of alerts about unknown access keys: anyone can send uploads with any number of made-up keys. */
export const MAX_UNKNOWN_KEYS = 50;

export const unknownLoggerKind = {
  word: 'Onbekende logger',
  source: 'portal',
  explanation: 'Een logger stuurt metingen met een sleutel die bij geen enkele machine hoort.',
  whatToDo:
    'Zoek uit welke logger het is, en laad er een nieuw configuratiebestand in. Een CANedge krijgt nieuwe instellingen.',
  settings: { threshold: { word: 'Vanaf', unit: 'keer', least: 1, most: 1_000, usual: 3 } },
  hasOwnHours: true,
  isFirst: true,
  needs: 'unknown-keys',
  clauses: (_, { threshold }) => ({
    when: `een onbekende logger ${threshold} keer metingen heeft gestuurd`,
  }),
} satisfies KindDeclaration;

export const unknownLoggerEvaluation: PortalEvaluation<{ readonly count: number }> = {
  evaluate: ({ unknownKeys }, { threshold = 0 }, now) =>
    unknownKeys
      .filter(({ count }) => count >= threshold)
      .sort((a, b) => a.firstSeen - b.firstSeen)
      .slice(0, MAX_UNKNOWN_KEYS)
      .map(({ accessKey, firstSeen, count }) => ({
        since: firstSeen,
        at: now,
        figures: { count },
        value: count,
        subject: accessKey,
      })),
  text: ({ count }) => `${formatNumber(count)} keer geweigerd`,
  sample: [{ count: 1234 }, '1.234 keer geweigerd'],
};
