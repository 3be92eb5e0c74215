import type { FastifyError, FastifyInstance } from 'fastify';
import {
  type FieldError,
  PROBLEM_STATUS,
  type Problem,
  type ProblemCode,
  type SecondFactorKind,
} from '#shared/contract/problem.ts';
import { isUnavailable } from './database.ts';

/** An answer other than 200. Any code may throw it; one error handler converts it to `{ code, message }`. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly FieldError[] | undefined;
  readonly factors: readonly SecondFactorKind[] | undefined;
  /**
   * Set if the call was refused because of a wrong guess of a password or code: the log counts the guess, for this account if it is known.
   */
  guess: GuessedAccount | undefined;
  constructor(
    code: ProblemCode,
    message: string,
    faults?: readonly FieldError[],
    factors?: readonly SecondFactorKind[],
  ) {
    super(message);
    this.code = code;
    this.faults = faults;
    this.factors = factors;
  }
}

/**
 * The account whose password or code a caller guessed. When no account has the address, only its keyed hash is stored
 * (platform/refusals.ts).
 */
export type GuessedAccount = { readonly accountId?: number | undefined; readonly email?: string | undefined };

/** Marks a problem as a wrong guess of a password or code. Without `email` the log uses the e-mail address in the request's body. */
export function markWrongGuess(
  problem: ProblemError,
  { accountId, email }: GuessedAccount = {},
): ProblemError {
  problem.guess = { accountId, email };
  return problem;
}

/** Returns a `catch` handler that marks a problem as a wrong guess of this account's password or code. */
export const catchWrongGuess =
  (of: GuessedAccount) =>
  (error: unknown): never => {
    throw error instanceof ProblemError ? markWrongGuess(error, { ...of, ...error.guess }) : error;
  };

export const invalidInputError = (message: string) => new ProblemError('invalid', message);
export const notFound = (message = 'Niet gevonden.') => new ProblemError('not_found', message);
export const forbidden = (message = 'Geen toegang.') => new ProblemError('forbidden', message);
/** Returns the refusal of a call that needs a recent password or factor. */
export const reauthenticationRequired = () =>
  new ProblemError('proof_required', 'Bevestig eerst dat jij het bent.');
export const passwordChangeRequired = () =>
  new ProblemError('password_change_required', 'Kies eerst een nieuw wachtwoord.');
export const factorMissingError = () =>
  new ProblemError('second-factor-setup-required', 'Stel eerst een tweede stap in voor het inloggen.');
export const addressUnconfirmedError = () =>
  new ProblemError(
    'address_unconfirmed',
    'Bevestig eerst je e-mailadres, met de link in de mail die je van ons kreeg.',
  );
export const unauthenticated = () => new ProblemError('unauthenticated', 'Log eerst in.');

export type AnyError = FastifyError | ProblemError;

/** Answers the errors of all routes. Stacks and database errors are logged; the answer to them contains only a general message. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: AnyError, request, reply) => {
    const problem = toProblem(error);
    // The id of the request lets a person name the line of the log.
    if (statusOf(problem.code) >= 500) reply.header('x-request-id', request.id);
    // Logs the route's template, because the address itself may contain anything.
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (problem.code === 'internal') request.log.error({ route, err: error }, 'Unexpected error');
    else if (problem.code === 'unavailable')
      request.log.warn({ route, reason: error.message }, 'The database is unreachable');
    if (problem.code === 'unavailable' || problem.code === 'too_many_requests')
      reply.header('retry-after', '5');
    return reply.code(statusOf(problem.code)).header('cache-control', 'no-store').send(problem);
  });
}

export const statusOf = (code: ProblemCode): number => PROBLEM_STATUS[code];

/** Converts an error to the problem that the client may see. */
export function toProblem(error: AnyError): Problem {
  if (error instanceof ProblemError) {
    const { code, message, faults, factors } = error;
    return { code, message, ...(faults && { faults }), ...(factors && { factors }) };
  }
  if (isUnavailable(error)) return databaseUnreachable();
  const status = (error as FastifyError).statusCode ?? 500;
  if (status === 413) return { code: 'too_large', message: 'De aanvraag is te groot.' };
  if (status >= 400 && status < 500) return { code: 'invalid', message: 'De aanvraag is onleesbaar.' };
  return { code: 'internal', message: 'Er ging iets mis in het portaal.' };
}

export const databaseUnreachable = (): { code: ProblemCode; message: string } => ({
  code: 'unavailable',
  message: 'Het portaal kan de database niet bereiken. Probeer het zo weer.',
});

/**
 * Returns the value of a check that succeeded, in the form in which it is stored.
 * @throws ProblemError 400 with the reason, if the check failed
 */
export function requireValid<T>(
  checked: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string },
): T {
  if (!checked.ok) throw invalidInputError(checked.reason);
  return checked.value;
}
