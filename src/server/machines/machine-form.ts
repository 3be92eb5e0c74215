import { invalid } from '#server/platform/problem.ts';
import { parseAccessoryNumber } from '#shared/domain/accessories.ts';
import {
  type Checked,
  checkIdentifier,
  checkLoggerSerial,
  checkMacAddress,
} from '#shared/domain/identifiers.ts';
import type { Accessory, Battery } from '#shared/domain/live.ts';

/** What a client sends with create and edit: texts, JSON among them (contract/machines.ts). */
export type MachineInput = {
  readonly brand: string;
  readonly model: string;
  readonly alias: string;
  readonly bedrijf: string;
  readonly machine_serial: string;
  readonly macaddress?: string | undefined;
  readonly influx_serial?: string | undefined;
  readonly hulpstukken?: string | undefined;
  readonly batteries?: string | undefined;
  readonly urenstand?: string | undefined;
};

/** The same, checked; undefined: not sent. */
export type MachineForm = {
  readonly serial: string;
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
  /** '' when it was sent empty. */
  readonly macaddress: string | undefined;
  readonly loggerSerial: string | undefined;
  readonly hulpstukken: readonly Accessory[] | undefined;
  readonly batteries: readonly Battery[] | undefined;
  readonly initialHours: number | undefined;
};

const MOST_ACCESSORIES = 200;
const MOST_BATTERIES = 8;
const LARGEST_BATTERY_KWH = 10_000;
const MOST_HOURS = 1_000_000;

/** @throws ProblemError 400 with the first thing that is wrong, in Dutch */
export function readMachineForm(input: MachineInput): MachineForm {
  return {
    serial: value(checkIdentifier(input.machine_serial, 'Serienummer')),
    brand: freeText(input.brand, 'Merk', 64),
    alias: value(checkIdentifier(input.alias, 'Naam')),
    model: freeText(input.model, 'Model', 64),
    macaddress: optional(input.macaddress, (text) => (text === '' ? '' : value(checkMacAddress(text)))),
    loggerSerial: optional(input.influx_serial, (text) =>
      text === '' ? '' : value(checkLoggerSerial(text)),
    ),
    hulpstukken: optional(input.hulpstukken, readAccessories),
    batteries: optional(input.batteries, readBatteries),
    initialHours: optional(input.urenstand, readHours),
  };
}

const optional = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text.trim());

export function value(checked: Checked): string {
  if (!checked.ok) throw invalid(checked.reason);
  return checked.value;
}

/** Any readable text, outer blanks dropped. @throws ProblemError 400 */
function freeText(text: string, label: string, longest: number): string {
  const trimmed = text.normalize('NFC').trim();
  if (trimmed === '') throw invalid(`${label} ontbreekt.`);
  if ([...trimmed].length > longest) throw invalid(`${label} mag hoogstens ${longest} tekens lang zijn.`);
  // Joiners are part of emoji; anything else that cannot be seen is refused.
  if (/[^\P{C}\u200d]/u.test(trimmed)) throw invalid(`${label} bevat een onleesbaar teken.`);
  return trimmed;
}

/** Entries with an empty name are skipped (MEDIT-04). */
function readAccessories(json: string): readonly Accessory[] {
  const entries = readList(json, 'Hulpstukken');
  if (entries.length > MOST_ACCESSORIES) throw invalid(`Er zijn hoogstens ${MOST_ACCESSORIES} hulpstukken.`);
  return entries.flatMap((entry, index): Accessory[] => {
    const what = `Hulpstuk ${index + 1}`;
    if (!isObject(entry) || typeof entry.naam !== 'string') throw invalid(`${what} heeft geen naam.`);
    if (entry.naam.trim() === '') return [];
    const naam = freeText(entry.naam, `De naam van hulpstuk ${index + 1}`, 100);
    const { nummer: given } = entry;
    const nummer = typeof given === 'string' ? parseAccessoryNumber(given) : given;
    if (typeof nummer !== 'number' || !Number.isSafeInteger(nummer))
      throw invalid(
        `Het nummer van hulpstuk ${naam} is geen geheel getal: ${JSON.stringify(given) ?? 'leeg'}.`,
      );
    return [{ naam, nummer: nummer + 0 }];
  });
}

function readBatteries(json: string): readonly Battery[] {
  const entries = readList(json, "Accu's");
  if (entries.length > MOST_BATTERIES) throw invalid(`Een machine heeft hoogstens ${MOST_BATTERIES} accu's.`);
  return entries.map((entry, index): Battery => {
    const capacity = isObject(entry) ? (entry.capacity ?? null) : undefined;
    if (capacity === null) return { capacity };
    if (typeof capacity !== 'number' || !(capacity > 0 && capacity <= LARGEST_BATTERY_KWH))
      throw invalid(`De capaciteit van accu ${index + 1} is meer dan 0 en ten hoogste 10.000 kWh.`);
    return { capacity };
  });
}

/** '1234,5' as well as '1234.5'; '' is 0. */
function readHours(text: string): number {
  if (text === '') return 0;
  const hours = /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (!(hours <= MOST_HOURS)) throw invalid('Urenstand bij aanvang is een getal van 0 tot 1.000.000.');
  return hours;
}

function readList(json: string, label: string): readonly unknown[] {
  if (json === '') return [];
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list)) throw invalid(`${label}: dit is geen lijst.`);
  return list;
}

const isObject = (entry: unknown): entry is Record<string, unknown> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry);
