import type { ApiTopics } from '#server/platform/module.ts';
import { PROBLEM_STATUS } from '#shared/contract/problem.ts';
import { type DocumentedCall, listApiCalls, problemStatuses } from './calls.ts';

/** The portal that the document describes. */
export type DocumentedPortal = {
  /** PUBLIC_URL. */
  readonly url: string;
  readonly version: string;
  /** Name of the session cookie. */
  readonly cookie: string;
  readonly topics: ApiTopics;
};

const DESCRIPTION =
  `Sign in with POST /api/auth/login and send the cookie that it sets with every call. Every error is
\`{ code, message }\`; \`message\` is Dutch and meant for people. The organization always comes from the session. Calls
that change state (\`x-changes-state\`), GETs included, prove where they come from: a script
sends the header \`X-Requested-With\` with any value beside its cookie, a browser on the portal's own page does so
automatically. Without proof, or from another site, they are refused with 403. \`x-roles\` says who may call: \`anonymous\` is no session,
\`technicus\` and \`administrator\` are roles of the organization admin, \`lmb-…\` is a role of an LMB logging customer.
A call that asks for re-authentication (\`x-needs-proof\`) gets 403 \`proof_required\` more than ten minutes after the sign-in: send
POST /api/account/proof first. Times are ISO 8601 in UTC.`.replaceAll('\n', ' ');

/** Returns the contract as an OpenAPI 3.1 document (API-01). */
export function buildOpenApiDocument({
  url,
  version,
  cookie,
  topics,
}: DocumentedPortal): Record<string, unknown> {
  const all = listApiCalls();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of all) {
    paths[call.path] ??= {};
    (paths[call.path] as Record<string, unknown>)[call.method.toLowerCase()] = operation(call);
  }
  const nouns = [...new Set(all.map(({ noun }) => noun))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Werkstroom',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: nouns.map((name) => ({ name, description: topics[name]?.title ?? name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by POST /api/auth/login.' },
        metrics: { type: 'http', scheme: 'bearer', description: 'METRICS_TOKEN of the settings.' },
      },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: {
          description: 'Any error, with a message for people.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

const PROBLEM = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: Object.keys(PROBLEM_STATUS) },
    message: { type: 'string', description: 'Dutch.' },
    faults: {
      type: 'array',
      description: 'Errors per field, in the order of the screen.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string' },
          message: { type: 'string', description: 'Dutch.' },
          at: {
            type: 'string',
            description: 'Only if a logger is already bound: the machine that it reports for.',
          },
        },
      },
    },
  },
};

function operation(call: DocumentedCall): Record<string, unknown> {
  const { parameters, body, bodyLimit, changes, proof, who, token } = call;
  return {
    operationId: operationId(call),
    tags: [call.noun],
    summary: call.summary,
    'x-roles': who,
    ...(changes && { 'x-changes-state': true }),
    ...(proof && { 'x-needs-proof': true }),
    security: who.includes('anonymous') ? [] : [{ session: [] }, ...(token ? [{ [token]: [] }] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        ...(bodyLimit !== undefined && { description: `At most ${bodyLimit} bytes.` }),
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: { 200: success(call), ...problems(call) },
  };
}

/** Returns the success response of a call. Only JSON answers have a schema. */
const success = ({ media, answer }: DocumentedCall) => ({
  description: 'Done.',
  content: Object.fromEntries(
    media.map((one) => [one, one === 'application/json' ? { schema: answer ?? {} } : {}]),
  ),
});

/** Returns the error responses of a call: one for each status that the contract lists, and `default` for any other status. */
const problems = (call: DocumentedCall): Record<string, unknown> =>
  Object.fromEntries(
    [...problemStatuses(call), 'default'].map((status) => [
      status,
      { $ref: '#/components/responses/Problem' },
    ]),
  );

/** Returns the operationId of a call: 'GET /api/img/{serial}' becomes getImgSerial. */
const operationId = ({ method, path }: DocumentedCall): string =>
  method.toLowerCase() +
  path
    .replace('/api', '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
