import type { Api, ApiKey } from '#shared/contract/api.ts';
import type { CallInput, CallOutput } from '#shared/contract/endpoint.ts';
import type { FieldError, Problem, ProblemCode, SecondFactorKind } from '#shared/contract/problem.ts';

/** `network`: the server did not respond. */
export type ApiErrorCode = ProblemCode | 'network';

/** A failed call. `message` is a text for the user; `fromServer`: whether that text comes from the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly fromServer: boolean;
  /** Errors of the call's fields. */
  readonly faults: readonly FieldError[];
  /** Second factors of the account, if the server asks for one. */
  readonly factors: readonly SecondFactorKind[];

  constructor(
    status: number,
    problem: {
      readonly code: ApiErrorCode;
      readonly message: string;
      readonly faults?: readonly FieldError[];
      readonly factors?: readonly SecondFactorKind[];
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

/** An error that occurred in this browser, with a message for the user. */
export class UserMessageError extends Error {
  override readonly name = 'UserMessageError';
}

/** Returns whether an error means that the portal is unreachable or fails, so that the session may still be valid. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'network' || error.status >= 500);

export type CallOptions = { readonly signal?: AbortSignal };
type Arguments<K extends ApiKey> =
  unknown extends CallInput<Api[K]> ? [options?: CallOptions] : [input: CallInput<Api[K]> & CallOptions];
/** The input of a call as an argument; none if the call has no input. */
export type CallInputs<K extends ApiKey> =
  unknown extends CallInput<Api[K]> ? [] : [input: CallInput<Api[K]>];

/**
 * Calls the portal: `await callApi('POST /api/auth/login', { body: { email, password } })`.
 * Rejects with ApiError, or with the reason of an aborted `signal`. Shows no message and does not navigate.
 */
export async function callApi<K extends ApiKey>(
  key: K,
  ...[input]: Arguments<K>
): Promise<CallOutput<Api[K]>> {
  const response = await sendRequest(key, input ?? {});
  try {
    return (await response.json()) as CallOutput<Api[K]>;
  } catch (cause) {
    input?.signal?.throwIfAborted();
    // The connection broke during the response, or the response is no JSON.
    throw cause instanceof SyntaxError ? unreadableAnswerError(response.status, cause) : noAnswerError(cause);
  }
}

/** The untyped parts of a request. `callApi` checks their types. */
export type RequestParts = {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** Asks the user to re-authenticate. @returns whether the user did */
export type AskToReauthenticate = () => Promise<boolean>;
let askToReauthenticate: AskToReauthenticate | undefined;

/** Registers the function that asks the user to re-authenticate when the server requires it; undefined removes it. */
export function setReauthentication(ask: AskToReauthenticate | undefined): void {
  askToReauthenticate = ask;
}

/**
 * Sends a request and returns a response with status 2xx or 304; rejects as `callApi` does. If the server requires
 * re-authentication, sends the request once more after the user re-authenticated.
 */
export async function sendRequest(key: ApiKey, parts: RequestParts): Promise<Response> {
  try {
    return await sendOnce(key, parts);
  } catch (error) {
    const isRequired = error instanceof ApiError && error.code === 'proof_required';
    if (!isRequired || !(await askToReauthenticate?.())) throw error;
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
        // Proves the request's origin: over plain http a GET has only a Referer for that, which some proxies and browsers remove.
        'x-requested-with': 'werkstroom',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...(hasBody && { body: JSON.stringify(parts.body) }),
      ...(parts.signal && { signal: parts.signal }),
    });
  } catch (cause) {
    parts.signal?.throwIfAborted();
    throw noAnswerError(cause);
  }
  if (response.ok || response.status === 304) return response;
  throw await apiErrorOfResponse(response);
}

/** Returns '/api/machine/A%2F1' for '/api/machine/:serialNumber' and { serialNumber: 'A/1' }. */
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

/** Reads the error of an unsuccessful response. */
export async function apiErrorOfResponse(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined | null;
  if (typeof problem?.code !== 'string' || typeof problem.message !== 'string')
    return unreadableAnswerError(response.status);
  const { code, message, faults, factors } = problem;
  const lists = { ...(Array.isArray(faults) && { faults }), ...(Array.isArray(factors) && { factors }) };
  return new ApiError(response.status, { code, message, ...lists }, true);
}

/** Returns the error for a portal that is unreachable or too slow. */
export const noAnswerError = (cause?: unknown): ApiError =>
  Object.assign(new ApiError(0, { code: 'network', message: 'Geen verbinding met het portaal.' }, false), {
    cause,
  });

/** Returns the error for a response that is not the portal's: the page of a proxy, truncated JSON. */
export const unreadableAnswerError = (status: number, cause?: unknown): ApiError =>
  Object.assign(
    new ApiError(status, { code: 'internal', message: 'Het portaal gaf een onleesbaar antwoord.' }, false),
    {
      cause,
    },
  );

/**
 * Returns the text to show for a failed call: the server's message, else `fallback`. Adds the cause if the
 * server did not respond, because then other input does not help (AUTH-05).
 */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof UserMessageError) return error.message;
  if (!(error instanceof ApiError)) return fallback;
  if (error.fromServer && error.message !== '') return error.message;
  return error.code === 'network' ? `${fallback} ${error.message}` : fallback;
}
