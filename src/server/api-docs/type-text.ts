import { formatNumber } from '#shared/domain/nl.ts';
import type { JsonSchema } from './calls.ts';

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'tekst',
  number: 'getal',
  integer: 'geheel getal',
  boolean: 'ja of nee',
  null: 'leeg',
  object: 'een object',
  array: 'lijst',
};
const PLURAL_TEXTS: Readonly<Record<string, string>> = {
  string: 'teksten',
  number: 'getallen',
  integer: 'gehele getallen',
  object: 'objecten',
};

/** Describes a schema in Dutch: 'tekst, hoogstens 200 tekens', 'lijst van getallen', '‘mobile’ of ‘wifi’'. */
export function schemaTypeText(schema: JsonSchema): string {
  return [kindText(schema), ...limits(schema)].join(', ');
}

function kindText(schema: JsonSchema): string {
  const { type, anyOf, items, additionalProperties } = schema;
  if (schema.const !== undefined) return quoted(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(quoted).join(' of ');
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(schemaTypeText).join(' of ');
  if (type === 'array') return isSchema(items) ? `lijst van ${manyText(items)}` : 'lijst';
  if (type === 'object' && schema.properties === undefined && isSchema(additionalProperties)) {
    return `per sleutel ${kindText(additionalProperties)}`;
  }
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  return types.length === 0 ? 'vrije inhoud' : types.map((one) => TYPE_TEXTS[one] ?? one).join(' of ');
}

const manyText = (schema: JsonSchema): string =>
  (schema.enum === undefined && typeof schema.type === 'string' && PLURAL_TEXTS[schema.type]) ||
  kindText(schema);

function limits({
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  default: otherwise,
}: JsonSchema): string[] {
  return [
    ...(typeof maxLength === 'number' ? [`hoogstens ${formatNumber(maxLength)} tekens`] : []),
    ...(typeof minLength === 'number' && minLength > 1 ? [`minstens ${formatNumber(minLength)} tekens`] : []),
    ...(typeof minimum === 'number' ? [`vanaf ${formatNumber(minimum)}`] : []),
    ...(typeof maximum === 'number' ? [`tot en met ${formatNumber(maximum)}`] : []),
    ...(typeof maxItems === 'number' ? [`hoogstens ${formatNumber(maxItems)}`] : []),
    ...(otherwise === undefined ? [] : [`anders ${quoted(otherwise)}`]),
  ];
}

const quoted = (value: unknown): string =>
  typeof value === 'string'
    ? `‘${value}’`
    : typeof value === 'number'
      ? formatNumber(value)
      : JSON.stringify(value);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Returns the fields of an object, or of the objects in a list or under each key; undefined if there are none. */
export function schemaFieldsOf(
  schema: JsonSchema,
): { name: string; required: boolean; schema: JsonSchema }[] | undefined {
  const { properties, required, items, additionalProperties, anyOf } = schema;
  if (properties !== undefined) {
    const needed = (required ?? []) as string[];
    const named = Object.entries(properties as Record<string, JsonSchema>).map(([name, part]) => ({
      name,
      required: needed.includes(name),
      schema: part,
    }));
    if (!isSchema(additionalProperties)) return named;
    return [...named, { name: '…', required: false, schema: additionalProperties }];
  }
  if (isSchema(items)) return schemaFieldsOf(items);
  if (isSchema(additionalProperties)) return schemaFieldsOf(additionalProperties);
  if (Array.isArray(anyOf))
    return (anyOf as JsonSchema[]).map(schemaFieldsOf).find((fields) => fields !== undefined);
  return undefined;
}
