import { z } from 'zod';
import { type Checked, checkMacAddress } from '#shared/domain/identifiers.ts';
import {
  checkAccessories,
  checkBatteries,
  checkNumber,
  checkPower,
  checkRegistrationNumber,
  checkSebCategory,
  SEB_CATEGORIES,
} from '#shared/domain/machine-values.ts';

export const Accessory = z.object({ naam: z.string(), nummer: z.number().int() });
export type Accessory = z.output<typeof Accessory>;

/** kWh; null: not known. */
export const Battery = z.object({ capacity: z.number().nullable() });
export type Battery = z.output<typeof Battery>;

type Detail<W extends string, Told extends z.ZodType> = {
  /** Its name in the calls. */
  readonly wire: W;
  /** Characters of the text that create and edit take. */
  readonly longest: number;
  /** What that text means, outer blanks dropped. */
  readonly read: (text: string) => Checked<z.output<Told>>;
  /** What it is when create was sent none. */
  readonly unsent: z.output<Told>;
  /** How it is answered, and stored. */
  readonly told: Told;
};
const detail = <const W extends string, Told extends z.ZodType>(field: Detail<W, Told>) => field;

/**
 * The details of a machine's record. Calls, checks, answers, statements and audit are made of this table: a field
 * more is an entry here, one in the form (web/features/machine-form/machine-fields.ts) and a column of `machine`
 * that is called as the entry is, in snake_case.
 */
export const MACHINE_DETAILS = {
  macaddress: detail({
    wire: 'macaddress',
    longest: 200,
    read: (text) => (text === '' ? { ok: true, value: '' } : checkMacAddress(text)),
    unsent: '',
    told: z.string(),
  }),
  accessories: detail({
    wire: 'hulpstukken',
    longest: 100_000,
    read: checkAccessories,
    unsent: [],
    told: z.array(Accessory),
  }),
  batteries: detail({
    wire: 'batteries',
    longest: 10_000,
    read: checkBatteries,
    unsent: [],
    told: z.array(Battery),
  }),
  initialHours: detail({
    wire: 'urenstand',
    longest: 200,
    read: (text) => checkNumber(text, 'Urenstand bij aanvang', 1_000_000),
    unsent: 0,
    told: z.number(),
  }),
  registrationNumber: detail({
    wire: 'kenteken',
    longest: 200,
    read: checkRegistrationNumber,
    unsent: '',
    told: z.string(),
  }),
  sebCategory: detail({
    wire: 'seb_categorie',
    longest: 200,
    read: checkSebCategory,
    unsent: null,
    told: z.enum(SEB_CATEGORIES).nullable(),
  }),
  /** kW that it can give without end; null: not known. */
  powerKw: detail({
    wire: 'vermogen',
    longest: 200,
    read: checkPower,
    unsent: null,
    told: z.number().nullable(),
  }),
};
type Details = typeof MACHINE_DETAILS;
export type DetailName = keyof Details;
export type DetailValues = { readonly [Name in DetailName]: Readonly<Details[Name]['unsent']> };

type ByWire<Value extends { readonly [Name in DetailName]: z.ZodType }> = {
  [Name in DetailName as Details[Name]['wire']]: Value[Name];
};
const byWire = (schemaOf: (field: Details[DetailName]) => z.ZodType) =>
  Object.fromEntries(Object.values(MACHINE_DETAILS).map((field) => [field.wire, schemaOf(field)]));

/** The schemas of a call's query, and of an answer. */
export const SENT_DETAILS = byWire(({ longest }) => z.string().max(longest).optional()) as ByWire<
  Record<DetailName, z.ZodOptional<z.ZodString>>
>;
export const TOLD_DETAILS = byWire(({ told }) => told) as ByWire<{
  [Name in DetailName]: Details[Name]['told'];
}>;
