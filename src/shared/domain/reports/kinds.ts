import type { Action } from '../access.ts';

/** The reports in the order of the page, by their name in the URL. */
export const REPORTS = {
  inzet: {
    title: 'Inzet emissieloos materieel',
    about: 'Per project en machine: inzetdagen, uren, energie, CO2 en vermeden diesel.',
  },
  dagstaten: {
    title: 'Dagstaten',
    about: 'Per machine en dag: uren, energie, afstand, lading en laadkosten.',
  },
  laadbeurten: {
    title: 'Laadbeurten',
    about: 'Elke keer dat een machine laadde: wanneer, hoeveel en hoe het eindigde.',
  },
  draaiuren: {
    title: 'Draaiuren per machine',
    about: 'Draaiuren met de urenstand aan het begin en het einde, voor facturen.',
  },
  vervoer: {
    title: 'Vervoer',
    about: 'Elke keer dat een machine werd vervoerd: wanneer, van waar, naar waar en hoe ver.',
  },
  storingen: {
    title: 'Storingen',
    about: 'De storingscodes die besturingen (ECU’s) van machines meldden: sinds wanneer en tot wanneer.',
  },
  route: { title: 'Route', about: 'Waar machines zijn geweest, als GPX of tabel.' },
  metingen: { title: 'Metingen', about: 'De metingen van een machine: elk opgeslagen signaal.' },
} as const satisfies Record<string, { title: string; about: string }>;
export type ReportKind = keyof typeof REPORTS;
export const REPORT_KINDS = Object.keys(REPORTS) as [ReportKind, ...ReportKind[]];
export const isReportKind = (text: string): text is ReportKind => Object.hasOwn(REPORTS, text);

/** Reports that can begin and end at an hour; the others are about whole days. */
const OF_HOURS: ReadonlySet<ReportKind> = new Set([
  'laadbeurten',
  'vervoer',
  'storingen',
  'route',
  'metingen',
]);
export const supportsHourLimits = (kind: ReportKind): boolean => OF_HOURS.has(kind);

/** Actions that a report needs in addition to 'see-machines'. */
export const REQUIRED_REPORT_ACTIONS: Readonly<Partial<Record<ReportKind, Action>>> = { route: 'see-routes' };

/** Formats of files. */
export const FORMATS = ['csv', 'xlsx', 'json', 'gpx', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];
/** Content type of each format. */
export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  gpx: 'application/gpx+xml',
  parquet: 'application/vnd.apache.parquet',
};
/** Formats that only one report has. */
const ONLY: Readonly<Partial<Record<Format, ReportKind>>> = { gpx: 'route', parquet: 'metingen' };
export const formatsOf = (kind: ReportKind): readonly Format[] =>
  FORMATS.filter((format) => (ONLY[format] ?? kind) === kind);
