import { getOwnProperty } from '#shared/domain/own-value.ts';
import { leafElement, type XmlElement } from './xml.ts';

/** A field of a block: how the builder writes a value, and which texts the check accepts. */
export type ConfigField<Value> = {
  readonly write: (value: Value) => string;
  readonly fits: (text: string) => boolean;
  /** For a reference: the kinds of block whose UID it holds. */
  readonly to?: readonly string[];
  /** The field is omitted if its value is undefined. */
  readonly isOptional?: boolean;
};

/** The fields of a kind of block, in this order: a constant, or a value that the builder fills in. */
export type BlockFormat = Readonly<Record<string, string | number | boolean | ConfigField<never>>>;

/** The values that the builder fills in. */
export type BlockValues<Format extends BlockFormat> = {
  readonly [Name in keyof Format as Format[Name] extends ConfigField<never>
    ? Name
    : never]: Format[Name] extends ConfigField<infer Value> ? Value : never;
};

/** Maximum number of blocks: UIDs are xs:unsignedShort, and 0 means none. */
export const MAX_BLOCKS = 65_535;

export const wholeNumberField = (min: number, max: number): ConfigField<number> => ({
  write: String,
  fits: (text) => /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= min && Number(text) <= max,
});
const UID = wholeNumberField(1, MAX_BLOCKS);

/** Returns a field for the UID of a block of one of these kinds. */
export const blockReferenceField = (...to: string[]): ConfigField<number> => ({ ...UID, to });

export const choiceField = <Choice extends string>(...of: Choice[]): ConfigField<Choice> => ({
  write: String,
  fits: (text) => of.some((one) => one === text),
});
const matching = (pattern: RegExp): ConfigField<string> => ({
  write: String,
  fits: (text) => pattern.test(text),
});

export const flagField: ConfigField<boolean> = {
  write: String,
  fits: (text) => text === 'true' || text === 'false',
};
export const guidField = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
export const hexField = matching(/^([0-9A-F]{2})*$/);

/**
 * Maximum length of a text in bytes: the vendor's desktop tool compiles a text to ASCII with a length of one byte
 * (docs/logger-config.md). It would replace any other character by a question mark without a warning.
 */
export const MAX_LOGGER_TEXT_BYTES = 255;

/** Returns whether the logger keeps this text unchanged. */
export const isLoggerText = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) && text.length <= MAX_LOGGER_TEXT_BYTES;

export const textField: ConfigField<string> = { write: String, fits: isLoggerText };
export const nameField: ConfigField<string> = {
  write: String,
  fits: (written) => written !== '' && isLoggerText(written),
};

/** Maximum length of a certificate: its length and that of its block are stored in two bytes, so both must be below 65,536. */
export const MAX_CERTIFICATE_BYTES = 60_000;

/** Returns a PEM with line feeds only, trimmed. */
export const certificateText = (pem: string): string => pem.replaceAll('\r\n', '\n').trim();

export const certificateField: ConfigField<string> = {
  write: certificateText,
  fits: (pem) => /^[\x20-\x7e\n]*$/.test(pem) && pem.length <= MAX_CERTIFICATE_BYTES,
};

/** Returns whether a logger can hold the number: its factors and offsets are 32-bit floats. */
export const fitsFloat = (value: number): boolean =>
  Number.isFinite(Math.fround(value)) && (value === 0 || Math.fround(value) !== 0);

/**
 * Returns the shortest decimal that reads back as the same 32-bit float (xs:float), without an exponent, because no example of the vendor
 * has one.
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

export const optionalField = <Value>({
  write,
  ...field
}: ConfigField<Value>): ConfigField<Value | undefined> => ({
  ...field,
  write: (value) => write(value as Value),
  isOptional: true,
});

export const floatField: ConfigField<number> = {
  write: floatText,
  fits: (text) => /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(Math.fround(Number(text))),
};

/** Builds a block, the vendor's word for a numbered element with fields. */
export const buildBlock = <Format extends BlockFormat>(
  kind: string,
  format: Format,
  uid: number,
  values: BlockValues<Format>,
): XmlElement => ({
  name: kind,
  attributes: { UID: String(uid) },
  children: Object.entries(format).flatMap(([field, what]) => {
    if (typeof what !== 'object') return leafElement(field, String(what));
    const value = values[field as keyof BlockValues<Format>];
    return what.isOptional && value === undefined ? [] : leafElement(field, what.write(value as never));
  }),
  text: '',
});

/** Returns deviations of a block from its format: the fields, their order, their values. References are not followed. */
export function blockErrors({ name, attributes, children, text }: XmlElement, format: BlockFormat): string[] {
  const what = `${name} ${attributes.UID ?? ''}`;
  const errors: string[] = [];
  if (Object.keys(attributes).join() !== 'UID' || !UID.fits(attributes.UID ?? ''))
    errors.push(`${what}: its UID is not 1 to ${MAX_BLOCKS}`);
  const present = children.map((child) => child.name);
  const isExpected = (field: string): boolean => {
    const known = format[field];
    return typeof known !== 'object' || !known.isOptional || present.includes(field);
  };
  if (present.join() !== Object.keys(format).filter(isExpected).join() || text.trim() !== '')
    errors.push(`${what} has ${present.join(' ')}`);
  for (const child of children) {
    const field = getOwnProperty(format, child.name);
    if (field === undefined) continue;
    const fits = typeof field === 'object' ? field.fits(child.text) : child.text === String(field);
    if (child.children.length > 0 || !fits) errors.push(`${what}: ${child.name} cannot be '${child.text}'`);
  }
  return errors;
}
