import { type FaultEpisode, faultSourceText, fmiText, LAMP_TEXTS } from '../fault-codes.ts';
import type { Column } from './column.ts';
import { NAMES, type ReportMachine } from './machine-columns.ts';

/** The part of a machine's fault code episode that lies in the period; `over` null: it did not end in the period. */
export type FaultRow = FaultEpisode & { readonly machine: ReportMachine };

export const FAULT_COLUMNS: readonly Column<FaultRow>[] = [
  ...NAMES,
  { key: 'ecu', title: 'ECU', kind: 'text', value: faultSourceText },
  // SPN and FMI are codes, so they are texts without a thousands separator.
  {
    key: 'spn',
    title: 'SPN',
    kind: 'text',
    value: ({ spn, isOldLayout }) => (isOldLayout ? null : String(spn)),
  },
  { key: 'fmi', title: 'FMI', kind: 'text', value: ({ fmi }) => String(fmi) },
  {
    key: 'meaning',
    title: 'Betekenis van de FMI',
    kind: 'text',
    value: ({ fmi }) => fmiText(fmi) ?? null,
  },
  { key: 'lamp', title: 'Lamp', kind: 'text', value: ({ lamp }) => lamp && LAMP_TEXTS[lamp] },
  { key: 'from', title: 'Begin', kind: 'moment', value: ({ since }) => since },
  { key: 'seen', title: 'Laatst gezien', kind: 'moment', value: ({ lastSeen }) => lastSeen },
  { key: 'to', title: 'Voorbij', kind: 'moment', value: ({ over }) => over },
  {
    key: 'count',
    title: 'Keer volgens de ECU',
    kind: 'number',
    digits: 0,
    value: ({ occurrences }) => occurrences,
  },
];

export const FAULT_RULES: readonly string[] = [
  'Storing: van het eerste bericht van een besturing (ECU) met de code tot het eerste zonder. Zwijgt de ECU, dan is de storing niet voorbij.',
  'Een storing die voor de periode begon, staat er vanaf het begin van de periode; wat na de periode voorbij was, heeft geen einde.',
  'De lamp is de ernstigste die brandde. Zonder SPN: de ECU gebruikt een oudere telling, die niet te lezen is.',
];
