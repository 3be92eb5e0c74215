import { formatDecimals } from '#shared/domain/nl.ts';
import { isBeyondLimit, type KindDeclaration, type PortalEvaluation } from './kind.ts';

/** Free and total bytes of the disk. */
type Figures = { readonly free: number; readonly all: number };

export const diskAlmostFullKind = {
  word: 'Schijf bijna vol',
  source: 'portal',
  explanation: 'Op de schijf waar de gegevens van het portaal staan is minder vrij dan de grens.',
  whatToDo: 'Maak ruimte, of neem een grotere schijf: op een volle wordt niets meer bewaard.',
  settings: {
    threshold: { word: 'Vrij onder', unit: '%', least: 1, most: 90, usual: 10 },
    clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 95, usual: 12 },
  },
  fires: 'below',
  severity: 'urgent',
  hasOwnHours: true,
  isFirst: true,
  needs: 'disks',
  clauses: (_, { threshold, clear }) => ({
    when: `op de schijf met de gegevens minder dan ${threshold}% vrij is`,
    ends: `er ${clear}% of meer vrij is`,
  }),
} satisfies KindDeclaration;

export const diskAlmostFullEvaluation: PortalEvaluation<Figures> = {
  evaluate: ({ disks }, { threshold = 0, clear = threshold }, now, open) =>
    disks.flatMap(({ place, free, all }) => {
      const value = (100 * free) / all;
      if (!isBeyondLimit('below', value, open.has(place) ? clear : threshold)) return [];
      return [{ since: now, at: now, figures: { free, all }, value, subject: place }];
    }),
  text: ({ free, all }) =>
    `nog ${formatDecimals((100 * free) / all, 1)}% vrij: ${gigabytes(free)} van ${gigabytes(all)}`,
  sample: [{ free: 5 * 2 ** 30, all: 100 * 2 ** 30 }, 'nog 5,0% vrij: 5,0 GB van 100,0 GB'],
};

const gigabytes = (bytes: number): string => `${formatDecimals(bytes / 2 ** 30, 1)} GB`;
