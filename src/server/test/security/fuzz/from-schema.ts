import type { FieldValues } from '#server/test/security/principals/tested-noun.ts';
import type { Schema } from './document.ts';
import { NASTY_JSON, NASTY_TEXTS } from './values.ts';

/** Returns one of the choices; fast-check chooses, so that the seed determines everything. */
export type ChooseValue = <T>(choices: readonly T[]) => T;
/** The values to choose from for each field, by its name. */
export type Fields = Readonly<Record<string, FieldValues>>;

/** Lists whose items are only valid together, such as the corners of an area. */
const WHOLE = ['areas', 'workDays', 'ownHolidays'];

/** Returns a value that the portal should accept for this name. */
export function validValueOf(name: string, schema: Schema, fields: Fields, take: ChooseValue): unknown {
  if (schema.enum) return take(schema.enum);
  const field = fields[name];
  const isMadeUp = (schema.type === 'array' && !WHOLE.includes(name)) || schema.type === 'object';
  if (field && !isMadeUp) return take(field.good);
  return fromSchema(schema, fields, take);
}

function fromSchema(schema: Schema, fields: Fields, take: ChooseValue): unknown {
  if (schema.anyOf) return fromSchema(take(schema.anyOf), fields, take);
  if (schema.enum) return take(schema.enum);
  const { minimum = 0, maximum = minimum + 100 } = schema;
  switch (schema.type) {
    case 'integer':
      return take([minimum, Math.floor((minimum + maximum) / 2), maximum]);
    case 'number':
      return take([minimum, 1, 2.5]);
    case 'boolean':
      return take([true, false]);
    case 'array':
      return Array.from({ length: take([0, 1, 3]) }, () => fromSchema(schema.items ?? {}, fields, take));
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || take([true, false]))
          .map(([name, part]) => [name, validValueOf(name, part, fields, take)]),
      );
    default:
      return take(['tekst', 'x'.repeat(Math.min(schema.maxLength ?? 20, 20))]);
  }
}

/** Returns a value at a limit of the schema, or just beyond it. */
export function boundaryValueOf(
  { type, minimum, maximum, minLength, maxLength }: Schema,
  take: ChooseValue,
): unknown {
  if (type === 'integer' || type === 'number') {
    const [low, high] = [minimum ?? 0, maximum ?? 2 ** 31 - 1];
    return take([low, low - 1, high, high + 1, high + 0.5, -high, 2 ** 53, Number.MIN_VALUE]);
  }
  const most = Math.min(maxLength ?? 1_000, 100_000);
  return 'x'.repeat(take([minLength ?? 0, Math.max(0, (minLength ?? 1) - 1), most, most + 1]));
}

/** Returns the properties of a body as JSON texts, which can have forms that no JavaScript object has, such as a huge number. */
export function bodyPropertyTexts(
  { properties = {}, required = [] }: Schema,
  fields: Fields,
  take: ChooseValue,
  missing: string | undefined,
  spoilt: string | undefined,
  spoils: 'a nasty value' | 'a boundary' | undefined,
): string[] {
  return Object.entries(properties)
    .filter(
      ([name]) => name !== missing && (required.includes(name) || name === spoilt || take([true, false])),
    )
    .map(([name, schema]) => {
      const text = (value: unknown): string => JSON.stringify(value) ?? 'null';
      if (name !== spoilt) return `${text(name)}:${text(validValueOf(name, schema, fields, take))}`;
      const nasty = () => take([...NASTY_JSON, ...[...(fields[name]?.odd ?? []), ...NASTY_TEXTS].map(text)]);
      return `${text(name)}:${spoils === 'a boundary' ? text(boundaryValueOf(schema, take)) : nasty()}`;
    });
}
