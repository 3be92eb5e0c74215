import { LOGGER_WIFI_PASSWORD, PRIVATE_TEXT_MARKER } from './canaries.ts';
import { type Operation, problemBodyError } from './document.ts';
import { PASSWORD } from './names.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';
import { MAX_FUZZ_ANSWER_MS } from './send.ts';
import type { FuzzWorld } from './world.ts';

/** Pattern for internals of the server and secrets, which no answer may contain. */
const INSIDE =
  /\bat [\w.<>]+ \(|\.ts:\d+|node_modules|\/work\/|\/src\/server|ECONN|pg_catalog|syntax error at|duplicate key|relation "|violates|\$argon2|postgres:/;
const mayShowSecrets = (operation: string): boolean => operation === 'GET /api/machine/config/download';
const mayEcho = (operation: string): boolean =>
  operation === 'GET /api/openapi.json' || operation === 'GET /api/docs';

/** Returns a sentence for each rule that an answer breaks. */
export function brokenRulesOf(
  request: FuzzRequest,
  operation: Operation,
  answer: FuzzAnswer,
  world: FuzzWorld,
  publicUrl: string,
): string[] {
  const { status, headers, body, ms } = answer;
  const faults: string[] = [];
  const rule = (isKept: boolean, fault: string): void => {
    if (!isKept) faults.push(fault);
  };
  const isHead = request.method === 'HEAD';
  // If a path parameter is empty, the address is that of another call.
  const isShorter = operation.path.includes('{') && /\/(\?|$)/.test(request.target);
  const isAsked = request.method === operation.method && request.kind !== 'an odd address' && !isShorter;
  const type = String(headers['content-type'] ?? '');
  const all = `${JSON.stringify(headers)}\n${body}`;

  rule(status < 500, `status ${status}: ${body.slice(0, 200)}`);
  rule(ms <= MAX_FUZZ_ANSWER_MS, `took ${ms.toFixed(0)} ms`);
  rule(headers['x-evil'] === undefined, 'a header of the client');
  rule(headers['x-content-type-options'] === 'nosniff', 'without nosniff');
  rule(headers['x-powered-by'] === undefined, 'names its framework');
  if (status >= 400 && !isHead) {
    const fault = problemBodyError(body);
    rule(fault === undefined, `status ${status} with ${fault}: ${body.slice(0, 200)}`);
    rule(type.startsWith('application/json'), `status ${status} of type ${type}`);
  }
  if (!mayEcho(operation.name)) rule(!INSIDE.test(all), `tells of its inside: ${INSIDE.exec(all)?.[0]}`);
  rule(!all.includes(PASSWORD), 'tells a password');
  if (!mayShowSecrets(operation.name)) rule(!all.includes(LOGGER_WIFI_PASSWORD), 'tells a secret');
  if (request.principal !== 'admin') {
    const leak = world.foreign.find((canary) => all.includes(canary));
    rule(leak === undefined, `tells ${leak} of another organization`);
    const isForeignFile =
      /^GET .*\/(img|manual)\//.test(operation.name) && isAsked && request.target.includes('KANARIE');
    rule(!isForeignFile || status >= 400, 'gives a file of another organization');
    rule(
      !/KANARIE/.test(all) || /KANARIE/.test(request.target + request.body),
      'names a thing of another organization',
    );
  }
  if (status === 200 && isAsked && !isHead) {
    rule(operation.roles.has(request.principal), `lets ${request.principal} in`);
    rule(
      operation.media.some((media) => type.startsWith(media)),
      `of type ${type}, and not ${operation.media}`,
    );
    if (type.startsWith('application/json')) {
      const fault = operation.describes(JSON.parse(body));
      rule(fault === undefined, `is not what the document says: ${fault}`);
    }
  }
  if (request.kind === 'of another site' && operation.changes && isAsked)
    rule(status >= 400, `changes something for another site (${status})`);
  if (status >= 300 && status < 400 && status !== 304) {
    const location = String(headers.location);
    rule(location.startsWith(`${publicUrl}/`), `leads to ${location}`);
  }
  if (headers['set-cookie'] !== undefined) {
    const cookies = [headers['set-cookie']].flat().join('\n');
    // In a sign-in by an organization's own provider, the browser returns to the portal from another site, so its cookie may be Lax.
    const sameSite = operation.path.startsWith('/api/auth/oidc/')
      ? /SameSite=(Strict|Lax)/
      : /SameSite=Strict/;
    rule(/^\/api\/(auth|account)(\/|$)/.test(operation.path), 'sets a cookie');
    rule(
      cookies.split('\n').every((cookie) => /HttpOnly/.test(cookie) && sameSite.test(cookie)),
      'sets a cookie that scripts can read',
    );
  }
  if (request.principal !== 'nobody' && headers['access-control-allow-origin'] !== undefined)
    rule(false, `lets ${headers['access-control-allow-origin']} read it`);
  return faults;
}

/** Returns whether a log line contains a secret or a private text, which no log may contain. */
export const hasSecrets = (line: string): boolean =>
  [PASSWORD, LOGGER_WIFI_PASSWORD, PRIVATE_TEXT_MARKER, '$argon2'].some((text) => line.includes(text));
