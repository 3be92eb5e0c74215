import { getOwnProperty } from '../own-value.ts';
import { knownSignal } from '../signal.ts';
import type { Column } from './column.ts';
import type { ReportSettings } from './settings.ts';

/** Returns whether the signals contain the position of the machine. */
export const hasPositionSignal = (signals: readonly string[]): boolean =>
  signals.includes('LATITUDE') || signals.includes('LONGITUDE');

/** Time (ms since 1970), and the value of each signal. */
export type ValuesRow = readonly [time: number, ...(readonly (number | null)[])];

/** Returns the columns of the chosen signals. @param units units of custom signals, by name */
export const valueColumns = (
  signals: readonly string[],
  units: Readonly<Record<string, string>>,
): Column<ValuesRow>[] => [
  { key: 'time', title: 'Tijd', kind: 'moment', digits: 3, value: ([time]) => time },
  ...signals.map((name, at): Column<ValuesRow> => {
    const known = knownSignal(name);
    return {
      key: name,
      title: known?.word ?? name,
      unit: known?.unit ?? getOwnProperty(units, name) ?? '',
      kind: 'number',
      // Enough decimals to show the value as it was measured.
      digits: 6,
      value: (row) => row[at + 1] ?? null,
    };
  }),
];

export const valueReportNotes = ({ step }: Pick<ReportSettings, 'step'>): string[] => [
  ...(step === 0
    ? ['Elke opgeslagen meting, met de tijd waarop zij is gedaan.']
    : [
        `Per ${step === 1 ? 'seconde' : step === 60 ? 'minuut' : '5 minuten'} van elk signaal de laatste meting daarin; de tijd is het begin daarvan. Zonder metingen is er geen rij.`,
      ]),
];
