import fc from 'fast-check';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import type { Operation } from './document.ts';
import { fuzzFieldValues } from './fields.ts';
import {
  bodyPropertyTexts,
  boundaryValueOf,
  type ChooseValue,
  type Fields,
  validValueOf,
} from './from-schema.ts';
import type { FuzzPrincipal, FuzzRequest } from './request.ts';
import {
  BACKTRACKING_VALUES,
  CONTENT_TYPES,
  INTERPRETED_HEADERS,
  NASTY_BODIES,
  NASTY_TEXTS,
  ODD_HEADERS,
  ODD_METHODS,
  ODD_PATH_ENDINGS,
} from './values.ts';
import type { FuzzWorld } from './world.ts';

/** Ways to change a valid request, each with its weight: how often it is chosen relative to the others. */
const KINDS = {
  valid: 30,
  'a nasty value': 30,
  'a boundary': 8,
  'something missing': 4,
  'something extra': 6,
  'an odd body': 8,
  'a repeated name': 4,
  'an odd address': 5,
  'a long header': 8,
  'an odd method': 3,
  'of another site': 4,
} as const;
type Kind = keyof typeof KINDS;
const KIND_LIST = Object.entries(KINDS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind));

/** Returns a fast-check arbitrary for requests, in which every operation is equally frequent. */
export function fuzzRequests(operations: readonly Operation[], world: FuzzWorld): fc.Arbitrary<FuzzRequest> {
  return fc.gen().map((g) => {
    const take: ChooseValue = (choices) => choices[g(fc.nat, { max: choices.length - 1 })] as never;
    const operation = take(operations);
    const kind = take(KIND_LIST);
    // principals.pg.test.ts tests which principals are refused; here a valid request should succeed.
    const may = [...operation.roles];
    const principal = take(kind === 'valid' && may.length > 0 ? may : whoTries(operation));
    const fields = fuzzFieldValues(world, { ...operation, who: principal });
    return make(operation, principal, kind, fields, take);
  });
}

/** Returns the senders to choose from: mostly those who may use the operation, because the portal refuses others early. */
function whoTries({ roles }: Operation): FuzzPrincipal[] {
  const all: FuzzPrincipal[] = ['nobody', 'user', 'logger', 'admin'];
  return all.flatMap((who) => Array<FuzzPrincipal>(roles.has(who) ? 6 : 1).fill(who));
}

function make(
  operation: Operation,
  principal: FuzzPrincipal,
  kind: Kind,
  fields: Fields,
  take: ChooseValue,
): FuzzRequest {
  const spoils = kind === 'a nasty value' || kind === 'a boundary' ? kind : undefined;
  const query = new Map<string, string>();
  const params = new Map<string, string>();
  const names = [
    ...operation.parameters.map(({ name }) => name),
    ...Object.keys(operation.body?.properties ?? {}),
  ];
  const spoilt = names.length > 0 ? take(names) : undefined;
  const missing = kind === 'something missing' ? spoilt : undefined;
  for (const parameter of operation.parameters) {
    const { name, required, schema } = parameter;
    if (name === missing || (!required && take(SOMETIMES))) continue;
    const value =
      spoils && name === spoilt
        ? String(
            spoils === 'a boundary'
              ? boundaryValueOf(schema, take)
              : take([...(fields[name]?.odd ?? []), ...NASTY_TEXTS]),
          )
        : String(validValueOf(name, schema, fields, take));
    (parameter.in === 'path' ? params : query).set(name, value);
  }
  let target = operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(params.get(name) ?? ''));
  let search = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  if (kind === 'a repeated name' && search.length > 0) {
    const again = take(search);
    search = take([
      [...search, again],
      [...search, again.replace('=', '[]=')],
      [...search, again.replace('=', '[a]=')],
      search.map((part) => part.replace('=', '%00=')),
      Array<string>(500).fill(again),
    ]);
  }
  if (kind === 'something extra')
    search = [
      ...search,
      ...take([['__proto__[organization]=admin'], ['organization=admin', 'isAdmin=true'], ['_id=1']]),
    ];
  if (search.length > 0) target += `?${search.join('&')}`;
  if (kind === 'an odd address')
    target = take([target + take(ODD_PATH_ENDINGS), target.toUpperCase(), target.replace('/api', '/api/.')]);

  let body: string | undefined;
  const headers: Record<string, string> = {
    ...SCRIPT_HEADERS,
    'x-forwarded-for': `10.${take(BYTES)}.${take(BYTES)}.${take(BYTES)}`,
  };
  if (operation.body) {
    headers['content-type'] = 'application/json';
    const parts = bodyPropertyTexts(operation.body, fields, take, missing, spoils && spoilt, spoils);
    if (kind === 'something extra') parts.push(take(EXTRA_PARTS));
    body = `{${parts.join(',')}}`;
    if (kind === 'an odd body') {
      if (take([true, false])) headers['content-type'] = take(CONTENT_TYPES);
      else body = take([...NASTY_BODIES, body.slice(0, -1), `${body}x`]);
    }
  } else if (kind === 'an odd body' && operation.method !== 'GET') {
    headers['content-type'] = take(['application/json', ...CONTENT_TYPES]);
    body = take(NASTY_BODIES);
  }
  if (kind === 'of another site') Object.assign(headers, take(OTHER_SITES));
  if (kind === 'a long header') headers[take(INTERPRETED_HEADERS)] = take(BACKTRACKING_VALUES);
  else if (take(SOMETIMES)) {
    const [name, value] = take(ODD_HEADERS);
    headers[name] = value;
  }
  return {
    principal,
    ownSession: operation.path.startsWith('/api/auth/') && operation.changes,
    kind,
    operation: operation.name,
    method: kind === 'an odd method' ? take(ODD_METHODS) : operation.method,
    target,
    headers,
    body,
  };
}

const SOMETIMES = [true, false, false, false];
const BYTES = Array.from({ length: 250 }, (_, n) => n + 1);
const EXTRA_PARTS = [
  '"organization":"admin"',
  '"isBerende":true',
  '"__proto__":{"organization":"admin"}',
  '"authority":"SYS_ADMIN"',
  '"_id":1',
  '"email":"weg2@wegwerp.nl"',
];
const OTHER_SITES = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example' },
  { referer: 'https://evil.example/page' },
];

/** Percent-encodes a value; a text with a lone surrogate, which cannot be encoded, becomes three bytes that are no valid UTF-8. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');
