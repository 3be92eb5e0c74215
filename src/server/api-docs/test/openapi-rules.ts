/**
 * Returns the errors of a document by the rules of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.0), for the parts that the portal's document
 * has. Written here, because the validators on npm bring ajv and its dependencies for a handful of rules.
 */
export function openApiErrors(document: unknown): string[] {
  const errors: string[] = [];
  const report = (where: string, what: string) => void errors.push(`${where}: ${what}`);
  const root = record(document);
  only('document', root, ['openapi', 'info', 'servers', 'tags', 'paths', 'components'], report);
  if (!/^3\.1\.\d+$/.test(String(root.openapi))) report('openapi', 'is no 3.1');
  for (const name of ['title', 'version']) {
    if (typeof record(root.info)[name] !== 'string') report('info', `has no ${name}`);
  }
  for (const server of list(root.servers)) {
    if (!URL.canParse(String(record(server).url))) report('servers', 'a url is none');
  }
  const tags = list(root.tags).map((tag) => record(tag).name);
  if (new Set(tags).size !== tags.length) report('tags', 'are not unique');
  const schemes = Object.keys(record(record(root.components).securitySchemes));

  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(record(root.paths))) {
    if (!path.startsWith('/')) report(path, 'does not start with /');
    for (const [method, given] of Object.entries(record(item))) {
      const where = `${method.toUpperCase()} ${path}`;
      if (!METHODS.includes(method)) report(where, 'is no method');
      const operation = record(given);
      only(where, operation, OPERATION, report);
      if (ids.has(operation.operationId)) report(where, 'its operationId is not unique');
      ids.add(operation.operationId);
      if (!/^[A-Za-z0-9]+$/.test(String(operation.operationId)))
        report(where, 'its operationId is no identifier');
      for (const tag of list(operation.tags))
        if (!tags.includes(tag)) report(where, `its tag ${tag} is unknown`);
      for (const scheme of list(operation.security).flatMap((one) => Object.keys(record(one)))) {
        if (!schemes.includes(scheme)) report(where, `its security scheme ${scheme} is unknown`);
      }
      checkParameters(where, path, operation, report);
      if (operation.requestBody !== undefined) {
        if (method === 'get' || method === 'delete') report(where, 'has a body');
        checkContent(`${where} body`, record(operation.requestBody).content, report);
      }
      checkResponses(where, operation, report);
    }
  }
  for (const reference of references(root)) {
    if (resolve(root, reference) === undefined) report(reference, 'refers to nothing');
  }
  return errors;
}

type Report = (where: string, what: string) => void;
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

function only(where: string, given: Record<string, unknown>, known: readonly string[], report: Report): void {
  for (const key of Object.keys(given)) {
    if (!known.includes(key) && !key.startsWith('x-')) report(where, `has an unknown field ${key}`);
  }
}

function checkParameters(
  where: string,
  path: string,
  operation: Record<string, unknown>,
  report: Report,
): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters = list(operation.parameters).map(record);
  const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
  if (new Set(names).size !== names.length) report(where, 'has a parameter twice');
  for (const name of inPath)
    if (!names.includes(`path ${name}`)) report(where, `${name} of its path is not described`);
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'path' && place !== 'query') report(where, `${name} is nowhere`);
    if (place === 'path' && (required !== true || !inPath.includes(String(name)))) {
      report(where, `${name} is no path parameter`);
    }
    checkSchema(`${where} ${name}`, schema, report);
  }
}

function checkResponses(where: string, operation: Record<string, unknown>, report: Report): void {
  const responses = record(operation.responses);
  if (!Object.keys(responses).some((status) => /^2/.test(status))) report(where, 'has no success');
  for (const [status, given] of Object.entries(responses)) {
    if (!/^([1-5](\d\d|XX)|default)$/.test(status)) report(where, `${status} is no status`);
    const response = record(given);
    if (response.$ref !== undefined) continue;
    if (typeof response.description !== 'string') report(where, `${status} has no description`);
    checkContent(`${where} ${status}`, response.content, report);
  }
}

function checkContent(where: string, content: unknown, report: Report): void {
  const entries = Object.entries(record(content));
  if (entries.length === 0) report(where, 'has no content');
  for (const [media, { schema }] of entries.map(([name, one]) => [name, record(one)] as const)) {
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(media)) report(where, `${media} is no media type`);
    if (media === 'application/json' && schema === undefined) report(where, 'has no schema');
    if (schema !== undefined) checkSchema(where, schema, report);
  }
}

/** Checks the keywords of JSON Schema 2020-12 that zod writes. */
function checkSchema(where: string, given: unknown, report: Report): void {
  if (given === true || given === false) return;
  if (typeof given !== 'object' || given === null) report(where, 'a schema is no object');
  const schema = record(given);
  for (const keyword of ['$schema', '$defs', 'id', 'nullable']) {
    if (keyword in schema) report(where, `a schema has ${keyword}`);
  }
  for (const type of [schema.type ?? []].flat()) {
    if (!TYPES.includes(String(type))) report(where, `${type} is no type`);
  }
  const properties = record(schema.properties);
  for (const name of list(schema.required)) {
    if (!(String(name) in properties)) report(where, `${name} is required and not described`);
  }
  for (const [name, part] of Object.entries(properties)) checkSchema(`${where}.${name}`, part, report);
  for (const part of ['items', 'additionalProperties', 'propertyNames']) {
    if (schema[part] !== undefined) checkSchema(`${where} ${part}`, schema[part], report);
  }
  for (const part of ['anyOf', 'oneOf', 'allOf']) {
    for (const one of list(schema[part])) checkSchema(`${where} ${part}`, one, report);
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
