import type { Api, ApiKey } from '#shared/contract/api.ts';
import type { CallInput, CallOutput } from '#shared/contract/endpoint.ts';
import type { FactorKind, FieldError, Problem, ProblemCode } from '#shared/contract/problem.ts';

/** `network`: there was no answer at all. */
export type ApiErrorCode = ProblemCode | 'network';

/** A call that failed. `message` is for people; `fromServer` says that the server worded it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly fromServer: boolean;
  /** Where it is about fields: what is wrong with each. */
  readonly faults: readonly FieldError[];
  /** Where a second factor is asked: which the account has. */
  readonly factors: readonly FactorKind[];

  constructor(
    status: number,
    problem: {
      readonly code: ApiErrorCode;
      readonly message: string;
      readonly faults?: readonly FieldError[];
      readonly factors?: readonly FactorKind[];
    },
    fromServer: boolean,
  ) {
    super(problem.message);
    this.status = status;
    this.code = problem.code;
    this.fromServer = fromServer;
    this.faults = problem.faults ?? [];
    this.factors = problem.factors ?? [];
  }
}

/** What went wrong in this browser, in words for people. */
export class SpokenError extends Error {
  override readonly name = 'SpokenError';
}

/** The portal is out of reach or down, which says nothing about the caller's session. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'network' || error.status >= 500);

export type CallOptions = { readonly signal?: AbortSignal };
type Arguments<K extends ApiKey> =
  unknown extends CallInput<Api[K]> ? [options?: CallOptions] : [input: CallInput<Api[K]> & CallOptions];

/**
 * Calls the portal: `await call('POST /api/auth/login', { body: { email, password } })`.
 * Rejects with ApiError, or with the signal's reason when `signal` ended it. Shows nothing, goes nowhere:
 * that is for the screen that called.
 */
export async function call<K extends ApiKey>(key: K, ...[input]: Arguments<K>): Promise<CallOutput<Api[K]>> {
  const response = await send(key, input ?? {});
  try {
    return (await response.json()) as CallOutput<Api[K]>;
  } catch (cause) {
    input?.signal?.throwIfAborted();
    // Broken off on its way, or not what we speak.
    throw cause instanceof SyntaxError ? unreadable(response.status, cause) : noAnswer(cause);
  }
}

/** What `send` can put in a request; the typed side is `call`. */
export type RequestParts = {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** Lets the person show that it is them. @returns whether they did */
export type AskToReauthenticate = () => Promise<boolean>;
let askToReauthenticate: AskToReauthenticate | undefined;

/** Says who asks it of the person, where the server wants it before what cannot be undone; undefined: nobody. */
export function setReauthentication(ask: AskToReauthenticate | undefined): void {
  askToReauthenticate = ask;
}

/**
 * The answer itself, when it is 2xx or 304; anything else rejects as in `call`. What the server wants a proof for is
 * sent once more when the person gave it.
 */
export async function send(key: ApiKey, parts: RequestParts): Promise<Response> {
  try {
    return await sendOnce(key, parts);
  } catch (error) {
    const wantsProof = error instanceof ApiError && error.code === 'proof_required';
    if (!wantsProof || !(await askToReauthenticate?.())) throw error;
    parts.signal?.throwIfAborted();
    return sendOnce(key, parts);
  }
}

async function sendOnce(key: ApiKey, parts: RequestParts): Promise<Response> {
  const [method = '', pattern = ''] = key.split(' ');
  const hasBody = parts.body !== undefined;
  let response: Response;
  try {
    response = await fetch(pathOf(pattern, parts.params) + queryOf(parts.query), {
      method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        // Some proxies and browsers take a Referer away, and over plain http a GET has nothing else to prove its origin by.
        'x-requested-with': 'werkstroom',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...(hasBody && { body: JSON.stringify(parts.body) }),
      ...(parts.signal && { signal: parts.signal }),
    });
  } catch (cause) {
    parts.signal?.throwIfAborted();
    throw noAnswer(cause);
  }
  if (response.ok || response.status === 304) return response;
  throw await problemOf(response);
}

/** '/api/machine/:serialNumber' with { serialNumber: 'A/1' } is '/api/machine/A%2F1'. */
function pathOf(pattern: string, params: unknown): string {
  const values = (params ?? {}) as Readonly<Record<string, string>>;
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** What an answer that is no success says. */
export async function problemOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined | null;
  if (typeof problem?.code !== 'string' || typeof problem.message !== 'string')
    return unreadable(response.status);
  const { code, message, faults, factors } = problem;
  const lists = { ...(Array.isArray(faults) && { faults }), ...(Array.isArray(factors) && { factors }) };
  return new ApiError(response.status, { code, message, ...lists }, true);
}

/** The portal cannot be reached, or it took too long. */
export const noAnswer = (cause?: unknown): ApiError =>
  Object.assign(new ApiError(0, { code: 'network', message: 'Geen verbinding met het portaal.' }, false), {
    cause,
  });

/** An answer that is not ours: a proxy's page, half an object. */
export const unreadable = (status: number, cause?: unknown): ApiError =>
  Object.assign(
    new ApiError(status, { code: 'internal', message: 'Het portaal gaf een onleesbaar antwoord.' }, false),
    {
      cause,
    },
  );

/**
 * What a person reads when a call failed: the server's own words, else `fallback`; when there was no answer at
 * all, the cause stands behind it, since nothing that is typed will help then (AUTH-05).
 */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof SpokenError) return error.message;
  if (!(error instanceof ApiError)) return fallback;
  if (error.fromServer && error.message !== '') return error.message;
  return error.code === 'network' ? `${fallback} ${error.message}` : fallback;
}
