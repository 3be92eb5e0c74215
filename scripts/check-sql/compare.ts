import pg from 'pg';
import type { Node } from 'typescript/unstable/ast';
import {
  type Checker,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync';
import { columnToPropertyName } from '#server/platform/database.ts';
import type { Column, Parameter, StatementDescription } from './database.ts';
import { UnknownValue } from './evaluate.ts';

/** Compares the columns and parameters that PostgreSQL reports for a statement with the TypeScript types of the program. */

/** The kind of a value in JavaScript: `string`, `Date`, `number[]` …; `json`: any value of JSON; `any`: not checked. */
type Kind = string;

/** Returns the kind of JavaScript value to which pg converts values of a SQL type. */
function received({ oid, type }: Pick<Column, 'oid' | 'type'>): Kind {
  if (type === 'json' || type === 'jsonb') return 'json';
  if (type === 'void' || type === 'record') return 'string';
  const parse = pg.types.getTypeParser(oid) as (text: string) => unknown;
  const isArray = type.endsWith('[]');
  const element = isArray ? type.slice(0, -2) : type;
  const sample =
    element === 'boolean'
      ? 't'
      : element === 'date' || element.startsWith('timestamp')
        ? '2020-01-01 00:00:00'
        : element === 'bytea'
          ? '\\x00'
          : element === 'json' || element === 'jsonb'
            ? '1'
            : '1';
  const value = parse(isArray ? `{"${sample.replace('\\', '\\\\')}"}` : sample);
  if (!Array.isArray(value)) return kindOf(value);
  return element === 'json' || element === 'jsonb' ? 'json[]' : `${kindOf(value[0])}[]`;
}

const kindOf = (value: unknown): Kind => {
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  return typeof value;
};

type Typed = {
  readonly kinds: ReadonlySet<Kind>;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
};

/** Returns the kinds of values that a TypeScript type allows, and whether it allows null and undefined. */
export function kindsOfType(checker: Checker, type: Type): Typed {
  const kinds = new Set<Kind>();
  let isNullable = false;
  let isOptional = false;
  const add = (one: Type): void => {
    const { flags } = one;
    if (one.isUnionType()) for (const part of (one as UnionType).getTypes()) add(part);
    else if (flags & TypeFlags.Null) isNullable = true;
    else if (flags & (TypeFlags.Undefined | TypeFlags.Void)) isOptional = true;
    else if (flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) kinds.add('any');
    else if (flags & TypeFlags.StringLike) kinds.add('string');
    else if (flags & TypeFlags.NumberLike) kinds.add('number');
    else if (flags & TypeFlags.BooleanLike) kinds.add('boolean');
    else if (flags & TypeFlags.BigIntLike) kinds.add('bigint');
    else if (checker.isArrayType(one)) {
      const [element] = checker.getTypeArguments(one as TypeReference);
      for (const kind of element ? kindsOfType(checker, element).kinds : ['any']) kinds.add(`${kind}[]`);
    } else if (checker.isTupleType(one)) kinds.add('tuple');
    else {
      const name = one.getSymbol()?.name ?? '';
      if (one.isIntersectionType()) {
        const base = checker.getApparentType(one)?.getSymbol()?.name;
        kinds.add(base === 'String' ? 'string' : base === 'Number' ? 'number' : 'object');
      } else kinds.add(/^(Date|Buffer|Uint8Array)$/.test(name) ? name : 'object');
    }
  };
  add(type);
  return { kinds, isNullable, isOptional };
}

const JSON_KINDS = /^(?!Date|Buffer|Uint8Array|bigint)/;

function accepts(kinds: ReadonlySet<Kind>, kind: Kind): boolean {
  if (kinds.has('any') || kinds.has(kind)) return true;
  if (kind === 'json') return [...kinds].every((one) => JSON_KINDS.test(one));
  if (kind.endsWith('[]'))
    return (
      kinds.has('any[]') ||
      kinds.has('tuple') ||
      (kind === 'json[]' && [...kinds].every((one) => one.endsWith('[]')))
    );
  return kind === 'Buffer' && kinds.has('Uint8Array');
}

/** Returns the type of the rows of a call of `query`, or undefined if the call does not return a typed result. */
export function rowTypeOf(checker: Checker, call: Node): Type | undefined {
  const promise = checker.getTypeAtLocation(call);
  const result = promise && firstTypeArgument(checker, promise);
  return result && firstTypeArgument(checker, result);
}

export const firstTypeArgument = (checker: Checker, type: Type): Type | undefined =>
  type.isTypeReference() ? checker.getTypeArguments(type as TypeReference)[0] : undefined;

/** Returns messages about the differences between a row type of the program and the columns of a statement's result. */
export function rowProblems(checker: Checker, row: Type, { columns }: StatementDescription): string[] {
  const problems: string[] = [];
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]));
  // A row type of `object` means that the program reads no column.
  if (row.flags & TypeFlags.NonPrimitive) return [];
  const [index] = checker.getIndexInfosOfType(row);
  const isGeneric = isOpen(row);
  for (const column of columns) {
    const { type, nullability } = column;
    const name = columnToPropertyName(column.name);
    const property = properties.get(name);
    properties.delete(name);
    const own = property ? checker.getTypeOfSymbol(property) : index?.valueType;
    if (!own) {
      if (!isGeneric) problems.push(`column "${name}" is not in the type`);
      continue;
    }
    const { kinds, isNullable } = kindsOfType(checker, own);
    const kind = received(column);
    const shown = checker.typeToString(own);
    if (nullability !== 'always' && kinds.size > 0 && !accepts(kinds, kind))
      problems.push(`column "${name}" is ${type}, which pg makes a ${kind}, and the type says ${shown}`);
    if ((nullability === 'maybe' || nullability === 'always') && !isNullable && !kinds.has('any'))
      problems.push(`column "${name}" may be null, and the type says ${shown}`);
    if (nullability === 'never' && isNullable && property)
      problems.push(`column "${name}" is never null, and the type says ${shown}`);
  }
  for (const [name, property] of properties) {
    const own = checker.getTypeOfSymbol(property);
    if (own && !kindsOfType(checker, own).kinds.has('any') && !kindsOfType(checker, own).isOptional)
      problems.push(`the statement has no column "${name}"`);
  }
  return problems;
}

/** Returns whether a type has properties that depend on a type parameter. */
const isOpen = (type: Type): boolean =>
  type.isIntersectionType()
    ? type.getTypes().some(isOpen)
    : (type.flags & TypeFlags.Instantiable) > 0 ||
      (type.getAliasTypeArguments() ?? []).some(({ flags }) => (flags & TypeFlags.Instantiable) > 0);

/** Returns a pattern that matches the kinds of values that a parameter of a SQL type accepts. */
function givable(type: string): RegExp {
  if (type.endsWith('[]')) return /\[\]$|^(string|tuple|Buffer)$/;
  switch (type) {
    case 'real':
    case 'double precision':
      return /^number$/;
    // Allows strings for integers, because ids are strings in the documented calls.
    case 'smallint':
    case 'integer':
    case 'oid':
    case 'bigint':
    case 'numeric':
      return /^(number|string|bigint)$/;
    case 'boolean':
      return /^boolean$/;
    case 'bytea':
      return /^(Buffer|Uint8Array)$/;
    case 'json':
    case 'jsonb':
      return /^(string|object|number|boolean)$/;
    case 'date':
    case 'timestamp with time zone':
    case 'timestamp without time zone':
      return /^(Date|string)$/;
    case 'text':
    case 'character varying':
      return /^(string|number)$/;
    default:
      return /^string$/;
  }
}

/** Returns messages about the differences between the values that a call gives and the parameters of its statement. */
export function parameterProblems(
  checker: Checker,
  values: readonly unknown[] | undefined,
  parameters: readonly Parameter[],
): string[] {
  if (!values) return [];
  const rest = values.findIndex((value) => value instanceof UnknownValue && value.isRest);
  const known = rest < 0 ? values : values.slice(0, rest);
  const problems: string[] = [];
  if (rest < 0 && values.length !== parameters.length)
    problems.push(`the statement has ${parameters.length} parameters, and the call gives ${values.length}`);
  for (const [n, value] of known.entries()) {
    const parameter = parameters[n];
    if (!parameter) break;
    const { kinds, isNullable, isOptional } = given(checker, value);
    const pattern = givable(parameter.type);
    const wrong = [...kinds].filter((kind) => kind !== 'any' && kind !== 'any[]' && !pattern.test(kind));
    if (wrong.length > 0)
      problems.push(`parameter $${n + 1} is ${parameter.type}, and the call gives ${wrong.join(' | ')}`);
    if ((isNullable || isOptional) && parameter.isStoredNotNull)
      problems.push(`parameter $${n + 1} is stored in a column that is not null, and may be null`);
  }
  return problems;
}

function given(checker: Checker, value: unknown): Typed {
  if (value instanceof UnknownValue) {
    const type = value.node && checker.getTypeAtLocation(value.node);
    return type
      ? kindsOfType(checker, type)
      : { kinds: new Set(['any']), isNullable: false, isOptional: false };
  }
  if (value === null || value === undefined) return { kinds: new Set(), isNullable: true, isOptional: false };
  if (Array.isArray(value)) return { kinds: new Set(['any[]']), isNullable: false, isOptional: false };
  return { kinds: new Set([kindOf(value)]), isNullable: false, isOptional: false };
}
