import { HOUR_MS, type KindDeclaration, type PortalEvaluation } from './kind.ts';

export const configNotRunningKind = {
  word: 'Configuratie draait niet',
  source: 'portal',
  explanation: 'Een configuratiebestand is gedownload, maar de logger draait het niet.',
  whatToDo: 'Laad het bestand in de logger, of kijk of die zich meldt.',
  settings: {
    threshold: { word: 'Zo lang na het downloaden', unit: 'uur', least: 1, most: 720, usual: 48 },
  },
  hasOwnHours: true,
  needs: 'configurations',
  clauses: (_, { threshold }) => ({
    when: `een logger ${threshold} na het downloaden zijn configuratiebestand niet draait`,
  }),
} satisfies KindDeclaration;

export const configNotRunningEvaluation: PortalEvaluation<Record<string, never>> = {
  evaluate: ({ configurations }, { threshold = 0 }, now) =>
    configurations
      .filter(({ downloadedAt }) => downloadedAt + threshold * HOUR_MS <= now)
      .map(({ serial, downloadedAt }) => ({
        since: downloadedAt,
        at: now,
        figures: {},
        value: (now - downloadedAt) / HOUR_MS,
        subject: serial,
      })),
  text: () => 'het gedownloade bestand draait nog niet',
  sample: [{}, 'het gedownloade bestand draait nog niet'],
};
