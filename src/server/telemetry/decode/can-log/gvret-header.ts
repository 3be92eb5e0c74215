import { parseCsvRow, separatorOf } from '#server/telemetry/decode/csv/csv-rows.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';

/** Role of a cell in a row. */
export type GvretRole = 'time' | 'id' | 'extended' | 'bus' | 'length' | 'other';

/** The first row of a GVRET CSV. */
export type GvretHeader = {
  /** Character code of the separator. */
  readonly separator: number;
  /** Role of each column; each further column is a byte of data. */
  readonly roles: readonly GvretRole[];
  /** Whether the length is a length code (DLC); values above 8 are codes of CAN FD. */
  readonly hasLengthCode: boolean;
  /** Number of columns D1, D2, … A CAN FD row may have more cells. */
  readonly dataColumns: number;
};

/** Roles by header cell, in lower case without spaces: SavvyCAN writes `Time Stamp,ID,Extended,Dir,Bus,LEN,D1,…,D8`. */
const ROLES: Readonly<Record<string, GvretRole>> = {
  timestamp: 'time',
  id: 'id',
  extended: 'extended',
  bus: 'bus',
  len: 'length',
  dlc: 'length',
};

/**
 * Reads the first row of a CSV as that of a GVRET log, the native format of SavvyCAN (`saveNativeCSVFile` in its framefileio.cpp;
 * files from before 2017 have no `Dir`). Returns undefined for another CSV: one in which a column of GVRET is missing or occurs
 * twice, or that has another column after D1.
 * @throws LogError 'header' when the row is no CSV
 */
export function readGvretHeader(row: string): GvretHeader | undefined {
  const separator = separatorOf(row);
  const names = parseCsvRow(row, separator).map((cell) => cell.toLowerCase().replace(/[\s_]/g, ''));
  const firstData = names.indexOf('d1');
  if (firstData === -1) return undefined;
  const data = names.slice(firstData);
  while (data.at(-1) === '') data.pop();
  if (data.some((name, index) => name !== `d${index + 1}`)) return undefined;

  const roles = names.slice(0, firstData).map((name) => getOwnProperty(ROLES, name) ?? 'other');
  for (const role of new Set(Object.values(ROLES)))
    if (roles.filter((one) => one === role).length !== 1) return undefined;
  return {
    separator: separator.charCodeAt(0),
    roles,
    hasLengthCode: names.includes('dlc'),
    dataColumns: data.length,
  };
}
