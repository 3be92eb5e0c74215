import { ownValue } from '#shared/domain/own-value.ts';
import { leaf, type XmlElement } from './xml.ts';

/** A field of a block: how the builder writes a value, and what the check lets pass. */
export type Field<Value> = {
  readonly write: (value: Value) => string;
  readonly fits: (text: string) => boolean;
  /** Of a reference: the kinds of block whose UID it is. */
  readonly to?: readonly string[];
  /** Left out where its value is undefined. */
  readonly isOptional?: boolean;
};

/** The fields of a kind of block, in this order: each always the same value, or one that the builder fills in. */
export type BlockFormat = Readonly<Record<string, string | number | boolean | Field<never>>>;

/** What the builder fills in. */
export type Values<Format extends BlockFormat> = {
  readonly [Name in keyof Format as Format[Name] extends Field<never>
    ? Name
    : never]: Format[Name] extends Field<infer Value> ? Value : never;
};

/** UIDs are xs:unsignedShort, and 0 means none. */
export const MOST_BLOCKS = 65_535;

export const whole = (min: number, max: number): Field<number> => ({
  write: String,
  fits: (text) => /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= min && Number(text) <= max,
});
const UID = whole(1, MOST_BLOCKS);

/** The UID of a block of one of these kinds. */
export const reference = (...to: string[]): Field<number> => ({ ...UID, to });

export const choice = <Choice extends string>(...of: Choice[]): Field<Choice> => ({
  write: String,
  fits: (text) => of.some((one) => one === text),
});
const matching = (pattern: RegExp): Field<string> => ({ write: String, fits: (text) => pattern.test(text) });

export const flag: Field<boolean> = { write: String, fits: (text) => text === 'true' || text === 'false' };
export const guid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
export const hex = matching(/^([0-9A-F]{2})*$/);

/**
 * Texts as the logger holds them: its desktop tool compiles every text to ASCII with a length of one byte
 * (docs/logger-config.md), so that any other character would silently become a question mark.
 */
export const LONGEST_TEXT = 255;

/** Whether the logger keeps this text as it is. */
export const isLoggerText = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) && text.length <= LONGEST_TEXT;

export const text: Field<string> = { write: String, fits: isLoggerText };
export const name: Field<string> = { write: String, fits: (said) => said !== '' && isLoggerText(said) };

/** The certificate's length is held in two bytes, and so is that of the block it stands in. */
export const LONGEST_CERTIFICATE = 60_000;

/** A PEM with the line ends that everybody reads, and nothing around it. */
export const certificateText = (pem: string): string => pem.replaceAll('\r\n', '\n').trim();

export const certificate: Field<string> = {
  write: certificateText,
  fits: (pem) => /^[\x20-\x7e\n]*$/.test(pem) && pem.length <= LONGEST_CERTIFICATE,
};

/** Whether a logger can hold the number: its factors and offsets are 32-bit floats. */
export const fitsFloat = (value: number): boolean =>
  Number.isFinite(Math.fround(value)) && (value === 0 || Math.fround(value) !== 0);

/**
 * The shortest decimal that reads back as the same 32-bit float (xs:float). Without an exponent, which no
 * example of the vendor has.
 */
export function floatText(value: number): string {
  const single = Math.fround(value);
  let shortest = single;
  for (let digits = 1; digits <= 9; digits++) {
    shortest = Number(single.toPrecision(digits));
    if (Math.fround(shortest) === single) break;
  }
  const text = String(shortest);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  if (Number(exponent) > 0) return BigInt(shortest).toString();
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return shortest.toFixed(decimals - Number(exponent));
}

export const optional = <Value>({ write, ...field }: Field<Value>): Field<Value | undefined> => ({
  ...field,
  write: (value) => write(value as Value),
  isOptional: true,
});

export const float: Field<number> = {
  write: floatText,
  fits: (text) => /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(Math.fround(Number(text))),
};

/** What the vendor calls a block: one thing with a number of its own and its fields. */
export const buildBlock = <Format extends BlockFormat>(
  kind: string,
  format: Format,
  uid: number,
  values: Values<Format>,
): XmlElement => ({
  name: kind,
  attributes: { UID: String(uid) },
  children: Object.entries(format).flatMap(([field, what]) => {
    if (typeof what !== 'object') return leaf(field, String(what));
    const value = values[field as keyof Values<Format>];
    return what.isOptional && value === undefined ? [] : leaf(field, what.write(value as never));
  }),
  text: '',
});

/** What is not as its format has it: the fields, their order, their values. Where references lead is not looked at. */
export function blockFaults({ name, attributes, children, text }: XmlElement, format: BlockFormat): string[] {
  const what = `${name} ${attributes.UID ?? ''}`;
  const faults: string[] = [];
  if (Object.keys(attributes).join() !== 'UID' || !UID.fits(attributes.UID ?? ''))
    faults.push(`${what}: its UID is not 1 to ${MOST_BLOCKS}`);
  const present = children.map((child) => child.name);
  const isExpected = (field: string): boolean => {
    const known = format[field];
    return typeof known !== 'object' || !known.isOptional || present.includes(field);
  };
  if (present.join() !== Object.keys(format).filter(isExpected).join() || text.trim() !== '')
    faults.push(`${what} has ${present.join(' ')}`);
  for (const child of children) {
    const field = ownValue(format, child.name);
    if (field === undefined) continue;
    const fits = typeof field === 'object' ? field.fits(child.text) : child.text === String(field);
    if (child.children.length > 0 || !fits) faults.push(`${what}: ${child.name} cannot be '${child.text}'`);
  }
  return faults;
}
