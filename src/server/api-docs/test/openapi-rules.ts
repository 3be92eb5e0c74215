/**
 * What is wrong with a document by the rules of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.0) for the parts of it that
 * ours has; empty: nothing. Written here, since the validators on npm bring ajv and its kin for a handful of rules.
 */
export function openApiFaults(document: unknown): string[] {
  const faults: string[] = [];
  const fault = (where: string, what: string) => void faults.push(`${where}: ${what}`);
  const root = record(document);
  only('document', root, ['openapi', 'info', 'servers', 'tags', 'paths', 'components'], fault);
  if (!/^3\.1\.\d+$/.test(String(root.openapi))) fault('openapi', 'is no 3.1');
  for (const name of ['title', 'version']) {
    if (typeof record(root.info)[name] !== 'string') fault('info', `has no ${name}`);
  }
  for (const server of list(root.servers)) {
    if (!URL.canParse(String(record(server).url))) fault('servers', 'a url is none');
  }
  const tags = list(root.tags).map((tag) => record(tag).name);
  if (new Set(tags).size !== tags.length) fault('tags', 'are not unique');
  const schemes = Object.keys(record(record(root.components).securitySchemes));

  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(record(root.paths))) {
    if (!path.startsWith('/')) fault(path, 'does not start with /');
    for (const [method, given] of Object.entries(record(item))) {
      const where = `${method.toUpperCase()} ${path}`;
      if (!METHODS.includes(method)) fault(where, 'is no method');
      const operation = record(given);
      only(where, operation, OPERATION, fault);
      if (ids.has(operation.operationId)) fault(where, 'its operationId is not unique');
      ids.add(operation.operationId);
      if (!/^[A-Za-z0-9]+$/.test(String(operation.operationId)))
        fault(where, 'its operationId is no identifier');
      for (const tag of list(operation.tags))
        if (!tags.includes(tag)) fault(where, `its tag ${tag} is unknown`);
      for (const scheme of list(operation.security).flatMap((one) => Object.keys(record(one)))) {
        if (!schemes.includes(scheme)) fault(where, `its security scheme ${scheme} is unknown`);
      }
      parameterFaults(where, path, operation, fault);
      if (operation.requestBody !== undefined) {
        if (method === 'get' || method === 'delete') fault(where, 'has a body');
        contentFaults(`${where} body`, record(operation.requestBody).content, fault);
      }
      responseFaults(where, operation, fault);
    }
  }
  for (const reference of references(root)) {
    if (resolve(root, reference) === undefined) fault(reference, 'refers to nothing');
  }
  return faults;
}

type Fault = (where: string, what: string) => void;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const OPERATION = [
  'operationId',
  'tags',
  'summary',
  'description',
  'security',
  'parameters',
  'requestBody',
  'responses',
];
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function only(where: string, given: Record<string, unknown>, known: readonly string[], fault: Fault): void {
  for (const key of Object.keys(given)) {
    if (!known.includes(key) && !key.startsWith('x-')) fault(where, `has an unknown field ${key}`);
  }
}

function parameterFaults(
  where: string,
  path: string,
  operation: Record<string, unknown>,
  fault: Fault,
): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters = list(operation.parameters).map(record);
  const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
  if (new Set(names).size !== names.length) fault(where, 'has a parameter twice');
  for (const name of inPath)
    if (!names.includes(`path ${name}`)) fault(where, `${name} of its path is not described`);
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'path' && place !== 'query') fault(where, `${name} is nowhere`);
    if (place === 'path' && (required !== true || !inPath.includes(String(name)))) {
      fault(where, `${name} is no path parameter`);
    }
    schemaFaults(`${where} ${name}`, schema, fault);
  }
}

function responseFaults(where: string, operation: Record<string, unknown>, fault: Fault): void {
  const responses = record(operation.responses);
  if (!Object.keys(responses).some((status) => /^2/.test(status))) fault(where, 'has no success');
  for (const [status, given] of Object.entries(responses)) {
    if (!/^([1-5](\d\d|XX)|default)$/.test(status)) fault(where, `${status} is no status`);
    const response = record(given);
    if (response.$ref !== undefined) continue;
    if (typeof response.description !== 'string') fault(where, `${status} has no description`);
    contentFaults(`${where} ${status}`, response.content, fault);
  }
}

function contentFaults(where: string, content: unknown, fault: Fault): void {
  const entries = Object.entries(record(content));
  if (entries.length === 0) fault(where, 'has no content');
  for (const [media, { schema }] of entries.map(([name, one]) => [name, record(one)] as const)) {
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(media)) fault(where, `${media} is no media type`);
    if (media === 'application/json' && schema === undefined) fault(where, 'has no schema');
    if (schema !== undefined) schemaFaults(where, schema, fault);
  }
}

/** JSON Schema 2020-12, the keywords that zod writes. */
function schemaFaults(where: string, given: unknown, fault: Fault): void {
  if (given === true || given === false) return;
  if (typeof given !== 'object' || given === null) fault(where, 'a schema is no object');
  const schema = record(given);
  for (const keyword of ['$schema', '$defs', 'id', 'nullable']) {
    if (keyword in schema) fault(where, `a schema has ${keyword}`);
  }
  for (const type of [schema.type ?? []].flat()) {
    if (!TYPES.includes(String(type))) fault(where, `${type} is no type`);
  }
  const properties = record(schema.properties);
  for (const name of list(schema.required)) {
    if (!(String(name) in properties)) fault(where, `${name} is required and not described`);
  }
  for (const [name, part] of Object.entries(properties)) schemaFaults(`${where}.${name}`, part, fault);
  for (const part of ['items', 'additionalProperties', 'propertyNames']) {
    if (schema[part] !== undefined) schemaFaults(`${where} ${part}`, schema[part], fault);
  }
  for (const part of ['anyOf', 'oneOf', 'allOf']) {
    for (const one of list(schema[part])) schemaFaults(`${where} ${part}`, one, fault);
  }
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  return Object.entries(record(value)).flatMap(([key, part]) =>
    key === '$ref' ? [String(part)] : references(part),
  );
}

const resolve = (root: unknown, reference: string): unknown =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, step) => record(at)[step], root)
    : undefined;
