import { cellsOf, separatorOf } from '#server/telemetry/decode/csv/csv-rows.ts';
import { ownValue } from '#shared/domain/own-value.ts';

/** What a cell of a row is. */
export type GvretRole = 'time' | 'id' | 'extended' | 'bus' | 'length' | 'other';

/** What the first row of a GVRET CSV says. */
export type GvretHeader = {
  /** Character code. */
  readonly separator: number;
  /** By column; every column after these is a byte of data. */
  readonly roles: readonly GvretRole[];
  /** The length is a code (DLC), which above 8 is that of a CAN FD frame. */
  readonly hasLengthCode: boolean;
  /** Columns D1, D2 … A CAN FD row may have more cells than that. */
  readonly dataColumns: number;
};

/** The header's cells in lower case without spaces: SavvyCAN writes `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,…,D8`. */
const ROLES: Readonly<Record<string, GvretRole>> = {
  timestamp: 'time',
  id: 'id',
  extended: 'extended',
  bus: 'bus',
  len: 'length',
  dlc: 'length',
};

/**
 * Reads the first row of a CSV as that of a GVRET log, the own format of SavvyCAN (`saveNativeCSVFile` in its
 * framefileio.cpp; files from before 2017 lack `Dir`). Undefined when it is another CSV: a column that GVRET
 * has is missing or comes twice, or another column comes behind D1.
 * @throws LogError 'header' when the row is no CSV
 */
export function readGvretHeader(row: string): GvretHeader | undefined {
  const separator = separatorOf(row);
  const names = cellsOf(row, separator).map((cell) => cell.toLowerCase().replace(/[\s_]/g, ''));
  const firstData = names.indexOf('d1');
  if (firstData === -1) return undefined;
  const data = names.slice(firstData);
  while (data.at(-1) === '') data.pop();
  if (data.some((name, index) => name !== `d${index + 1}`)) return undefined;

  const roles = names.slice(0, firstData).map((name) => ownValue(ROLES, name) ?? 'other');
  for (const role of new Set(Object.values(ROLES)))
    if (roles.filter((one) => one === role).length !== 1) return undefined;
  return {
    separator: separator.charCodeAt(0),
    roles,
    hasLengthCode: names.includes('dlc'),
    dataColumns: data.length,
  };
}
