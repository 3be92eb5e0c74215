import { z } from 'zod';
import { type CheckResult, checkMacAddress } from '#shared/domain/identifiers.ts';
import {
  checkAccessories,
  checkBatteries,
  checkContinuousPowerKw,
  checkNumber,
  checkRegistrationNumber,
  checkSebCategory,
  SEB_CATEGORIES,
} from '#shared/domain/machine-values.ts';

export const Accessory = z.object({ naam: z.string(), nummer: z.number().int() });
export type Accessory = z.output<typeof Accessory>;

/** A battery of a machine. `capacity`: nominal capacity, kWh; null: not known. */
export const Battery = z.object({ capacity: z.number().nullable() });
export type Battery = z.output<typeof Battery>;

type Detail<W extends string, Answer extends z.ZodType> = {
  /** The field's name in the calls. */
  readonly wire: W;
  /** Longest text that create and edit accept, in characters. */
  readonly longest: number;
  /** Parses the text, without its outer blanks. */
  readonly read: (text: string) => CheckResult<z.output<Answer>>;
  /** The value if the create call contains none. */
  readonly unsent: z.output<Answer>;
  /** Schema of the value, as it is returned and stored. */
  readonly answer: Answer;
};
const detail = <const W extends string, Answer extends z.ZodType>(field: Detail<W, Answer>) => field;

/**
 * The detail fields of a machine's record. Calls, checks, responses, SQL statements and the audit log are
 * derived from this table. A new field is an entry here, an entry in the form
 * (web/features/machine-form/machine-fields.ts) and a column of `machine` with the entry's name in snake_case.
 */
export const MACHINE_DETAILS = {
  macaddress: detail({
    wire: 'macaddress',
    longest: 200,
    read: (text) => (text === '' ? { ok: true, value: '' } : checkMacAddress(text)),
    unsent: '',
    answer: z.string(),
  }),
  accessories: detail({
    wire: 'hulpstukken',
    longest: 100_000,
    read: checkAccessories,
    unsent: [],
    answer: z.array(Accessory),
  }),
  batteries: detail({
    wire: 'batteries',
    longest: 10_000,
    read: checkBatteries,
    unsent: [],
    answer: z.array(Battery),
  }),
  initialHours: detail({
    wire: 'urenstand',
    longest: 200,
    read: (text) => checkNumber(text, 'Urenstand bij aanvang', 1_000_000),
    unsent: 0,
    answer: z.number(),
  }),
  registrationNumber: detail({
    wire: 'kenteken',
    longest: 200,
    read: checkRegistrationNumber,
    unsent: '',
    answer: z.string(),
  }),
  sebCategory: detail({
    wire: 'seb_categorie',
    longest: 200,
    read: checkSebCategory,
    unsent: null,
    answer: z.enum(SEB_CATEGORIES).nullable(),
  }),
  /** Continuous power, kW; null: not known. */
  powerKw: detail({
    wire: 'vermogen',
    longest: 200,
    read: checkContinuousPowerKw,
    unsent: null,
    answer: z.number().nullable(),
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

/** The detail fields' schemas in the query of create and edit. */
export const DETAIL_QUERY_SCHEMAS = byWire(({ longest }) => z.string().max(longest).optional()) as ByWire<
  Record<DetailName, z.ZodOptional<z.ZodString>>
>;
/** The detail fields' schemas in a response. */
export const DETAIL_ANSWER_SCHEMAS = byWire(({ answer }) => answer) as ByWire<{
  [Name in DetailName]: Details[Name]['answer'];
}>;
