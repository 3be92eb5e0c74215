import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { z } from 'zod';
import { type Api, type ApiKey, api } from '#shared/contract/api.ts';
import type { CallOutput, Endpoint, EndpointAccess } from '#shared/contract/endpoint.ts';
import type { FieldError } from '#shared/contract/problem.ts';
import type { Action } from '#shared/domain/access.ts';
import { fieldLabel } from '#shared/domain/field-texts.ts';
import { type CurrentRequest, runOnBehalfOf } from './audit.ts';
import { requireOwnSiteRequest } from './cross-site.ts';
import { type Database, isDeadlock, withTransactionCheck } from './database.ts';
import {
  addressUnconfirmedError,
  factorMissingError,
  forbidden,
  invalidInputError,
  ProblemError,
  passwordChangeRequired,
  reauthenticationRequired,
  unauthenticated,
} from './problem.ts';
import { visitorIpOf } from './visitor-address.ts';

type Part<E extends Endpoint, Name extends 'query' | 'params' | 'body'> =
  E[Name] extends z.ZodType<infer Out> ? { readonly [_ in Name]: Out } : unknown;

/** A handler's argument: checked input, and the caller where the endpoint requires one. */
type Call<E extends Endpoint, Caller> = Part<E, 'query'> &
  Part<E, 'params'> &
  Part<E, 'body'> & {
    readonly caller: E['access'] extends 'public' ? undefined : Caller;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  };

/** Identifies callers, and decides which calls each of them may make. */
export type CallerGate<Caller> = {
  /** Returns the maximum body size in bytes of a call whose contract does not give one. */
  bodyLimitOf(path: string, access: EndpointAccess): number;
  callerOf(request: FastifyRequest): Promise<Caller | undefined>;
  may(caller: Caller, action: Action): boolean;
  /** Returns whether the caller's access limit (to projects or labels, for example) permits this call. */
  isServed(caller: Caller, key: ApiKey): boolean;
  /** Returns whether the caller gave a password or factor recently. */
  isReauthenticated(caller: Caller): boolean;
  /** Returns whether the caller must choose a password before any other call. */
  mustChangePassword(caller: Caller): boolean;
  /** Returns whether the caller must set up a required second factor before any other call. */
  lacksFactor(caller: Caller): boolean;
  /** Returns whether the caller must confirm their e-mail address before any call that is not about their own account. */
  mustConfirm(caller: Caller): boolean;
  /**
   * Returns the caller from the database; undefined when the session has ended. The session cannot end before the transaction
   * of `db` does.
   */
  readAgain(db: Database, caller: Caller): Promise<Caller | undefined>;
  /** Returns whether two reads of a caller have the same organization, role and rights. */
  isUnchanged(before: Caller, now: Caller): boolean;
  readonly allowedOrigins: ReadonlySet<string>;
  /** Returns the fields of a caller for the log. */
  inLog(caller: Caller): CurrentRequest['caller'];
  /** Logs a refused call; called for every call that ended with an error (ProblemError). `body`: the body as it was sent. */
  refused(who: CurrentRequest, key: ApiKey, problem: ProblemError, body: unknown): void;
};

/** Binds an endpoint of the contract to its handler. A handler that sends the answer itself returns the reply. */
export type ServeCall<Caller> = <Key extends ApiKey>(
  key: Key,
  handler: (call: Call<Api[Key], Caller>) => Promise<CallOutput<Api[Key]> | FastifyReply>,
) => void;

/**
 * Checks calls before their handler. First, before the body is read: the origin (API-04), the session (401), rights and
 * re-authentication (403). Then the input (400). The handler's answer is checked against the contract too. Each transaction of a
 * call that changes data checks session and rights again (decision 57).
 */
export function createServeCall<Caller>(app: FastifyInstance, gate: CallerGate<Caller>): ServeCall<Caller> {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const currentRequestOf = (request: FastifyRequest): CurrentRequest => {
    const caller = callers.get(request);
    return {
      caller: caller && gate.inLog(caller),
      address: visitorIpOf(request.ip),
      userAgent: request.headers['user-agent'],
      requestId: request.id,
    };
  };
  return (key, handler) => {
    const [method, url] = key.split(' ') as [HTTPMethods, string];
    const endpoint: Endpoint = api[key];
    app.route({
      method,
      url,
      // A GET that changes nothing also accepts HEAD, because a load balancer may send that.
      exposeHeadRoute: method === 'GET' && !endpoint.changes,
      bodyLimit: endpoint.bodyLimit ?? gate.bodyLimitOf(url, endpoint.access),
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (/*rule:gate-own-page*/ endpoint.changes /*=false*/)
          requireOwnSiteRequest(request, gate.allowedOrigins);
        if (endpoint.access === 'public') return;
        const caller = await gate.callerOf(request);
        if (/*rule:gate-session*/ !caller /*=false*/) throw unauthenticated();
        callers.set(request, caller);
        requireAllowed(gate, key, caller);
      },
      onError: async (request, _reply, error) => {
        if (error instanceof ProblemError) gate.refused(currentRequestOf(request), key, error, request.body);
      },
      handler: async (request, reply) => {
        const input = {
          query: endpoint.query && check(endpoint.query, request.query),
          params: endpoint.params && check(endpoint.params, request.params),
          body: endpoint.body && check(endpoint.body, request.body),
        };
        const caller = callers.get(request);
        if (caller && needsReauthentication(endpoint, input.body) && !gate.isReauthenticated(caller))
          throw reauthenticationRequired();
        // The type of Call leaves out the keys that the endpoint does not have; here they are undefined.
        const handled = () => handler({ ...input, caller, request, reply } as never);
        const answer = () =>
          runOnBehalfOf(currentRequestOf(request), () =>
            endpoint.changes && caller !== undefined
              ? withTransactionCheck((client) => requireStillAllowed(client, gate, key, caller), handled)
              : handled(),
          );
        const output = await retryAfterDeadlock(answer, () => reply.sent);
        // A handler that sent the reply itself returned the reply. A reply is thenable, so awaiting it gives undefined.
        return reply.sent ? reply : endpoint.response.parse(output);
      },
    });
  };
}

/** Returns whether the call needs re-authentication because of this body. */
const needsReauthentication = ({ proof }: Endpoint, body: unknown): boolean =>
  typeof proof === 'function' && proof(body as never);

/** Requires that the caller may make the call. @throws ProblemError 403 */
function requireAllowed<Caller>(gate: CallerGate<Caller>, key: ApiKey, caller: Caller): void {
  const endpoint: Endpoint = api[key];
  // The order counts: a generated password must be changed before a factor is set up.
  if (gate.mustChangePassword(caller)) {
    if (/*rule:gate-generated-password*/ !endpoint.duringPasswordChange /*=false*/)
      throw passwordChangeRequired();
  } else if (/*rule:gate-second-factor*/ !endpoint.beforeFactor && gate.lacksFactor(caller) /*=false*/)
    throw factorMissingError();
  if (/*rule:gate-confirmed-address*/ !endpoint.beforeConfirmation && gate.mustConfirm(caller) /*=false*/)
    throw addressUnconfirmedError();
  if (/*rule:gate-limited-calls*/ !gate.isServed(caller, key) /*=false*/)
    throw forbidden('Dit hoort niet bij wat je mag zien.');
  if (/*rule:gate-right*/ endpoint.needs !== undefined && !gate.may(caller, endpoint.needs) /*=false*/)
    throw forbidden();
  if (/*rule:gate-reauthentication*/ endpoint.proof === true && !gate.isReauthenticated(caller) /*=false*/)
    throw reauthenticationRequired();
}

/** Requires that the caller still has the session and the rights with which the call began. @throws ProblemError 401 or 403 */
async function requireStillAllowed<Caller>(
  db: Database,
  gate: CallerGate<Caller>,
  key: ApiKey,
  caller: Caller,
): Promise<void> {
  const now = await gate.readAgain(db, caller);
  if (!now) /*rule:change-session-ended*/ throw unauthenticated(); /*=return;*/
  /*rule:change-passes-gate*/ requireAllowed(gate, key, now); /*=*/
  // The handler has decided by the role and scope that the caller had when the call began, so the call is refused if these have
  // changed.
  if (/*rule:change-same-rights*/ !gate.isUnchanged(caller, now) /*=false*/) throw forbidden();
}

/** Runs `work` again, up to twice, after a deadlock for which PostgreSQL aborted its transaction. */
async function retryAfterDeadlock<T>(work: () => Promise<T>, isTooLate: () => boolean): Promise<T> {
  for (let left = 2; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isDeadlock(error) || isTooLate()) throw error;
      // Waits first: an immediate retry would take the locks before the other transaction wakes up, and deadlock again.
      await setTimeout(OTHER_FIRST_MS);
    }
  }
}

const OTHER_FIRST_MS = 50;

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: issueText });
  if (result.success) {
    if (holdsNul(result.data)) throw invalidInputError('De aanvraag bevat een onleesbaar teken.');
    return result.data;
  }
  const issues = result.error.issues.slice(0, MAX_ERRORS);
  const errors = issues.map(({ path, message }) => fieldErrorAt(path, message));
  if (!errors[0]?.field) throw invalidInputError('De aanvraag is onleesbaar.');
  throw new ProblemError('invalid', errors.map(({ message }) => message).join(' '), errors);
}

const MAX_ERRORS = 20;

/** Returns the error of a field. `field` is the path, such as 'signals.2.factor'; the message begins with the field's label in the form. */
function fieldErrorAt(path: readonly PropertyKey[], message: string): FieldError {
  const field = path.join('.');
  return { field, message: `${fieldLabel(field)} ${message}.` };
}

/** Returns the text of an error for which the contract has no text. In the message the text follows the field's name. */
function issueText(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'ontbreekt';
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? `mag hoogstens ${issue.maximum} tekens lang zijn`
      : `is hoogstens ${issue.maximum}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? `moet minstens ${issue.minimum} tekens lang zijn`
      : `is minstens ${issue.minimum}`;
  return 'heeft een waarde die niet kan';
}

/**
 * Returns whether a value contains a NUL character. PostgreSQL accepts none in a text, and people do not type it, so every call
 * refuses it.
 */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, part]) => name.includes('\0') || holdsNul(part));
}
