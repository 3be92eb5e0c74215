import { type FaultEpisode, faultSourceText, fmiText, LAMP_TEXTS } from '../fault-codes.ts';
import { type Column, measuredColumn, momentColumn, textColumn } from './column.ts';
import { NAME_COLUMNS, type ReportMachine } from './machine-columns.ts';

/** The part of a machine's fault code episode that lies in the period; `over` null: it did not end in the period. */
export type FaultRow = FaultEpisode & { readonly machine: ReportMachine };

export const FAULT_COLUMNS: readonly Column<FaultRow>[] = [
  ...NAME_COLUMNS,
  textColumn('ecu', 'ECU', faultSourceText),
  // SPN and FMI are codes, so they are texts without a thousands separator.
  textColumn('spn', 'SPN', ({ spn, isOldLayout }) => (isOldLayout ? null : String(spn))),
  textColumn('fmi', 'FMI', ({ fmi }) => String(fmi)),
  textColumn('meaning', 'Betekenis van de FMI', ({ fmi }) => fmiText(fmi) ?? null),
  textColumn('lamp', 'Lamp', ({ lamp }) => lamp && LAMP_TEXTS[lamp]),
  momentColumn('from', 'Begin', ({ since }) => since),
  momentColumn('seen', 'Laatst gezien', ({ lastSeen }) => lastSeen),
  momentColumn('to', 'Voorbij', ({ over }) => over),
  measuredColumn('count', 'Keer volgens de ECU', '', 0, ({ occurrences }) => occurrences),
];

export const FAULT_REPORT_NOTES: readonly string[] = [
  'Storing: van het eerste bericht van een besturing (ECU) met de code tot het eerste zonder. Zwijgt de ECU, dan is de storing niet voorbij.',
  'Een storing die voor de periode begon, staat er vanaf het begin van de periode; wat na de periode voorbij was, heeft geen einde.',
  'De lamp is de ernstigste die brandde. Zonder SPN: de ECU gebruikt een oudere telling, die niet te lezen is.',
];
