import { z } from 'zod';
import type { Action } from '#shared/domain/access.ts';

/** `public`: no session needed. `session`: only signed-in users. */
export type EndpointAccess = 'public' | 'session';

/**
 * One HTTP call, described once for both the server and the browser. Its key in `api` is "METHOD /path".
 * `changes`: the call changes state, so a browser may send it only from the portal's own pages (docs/design.md section 4).
 */
export type Endpoint = {
  /** In English, for programmers who read the OpenAPI document. */
  readonly summary: string;
  /** In Dutch, for customers who read the page of the API. */
  readonly dutch: string;
  readonly access: EndpointAccess;
  /** The action that a signed-in caller must be allowed to do; otherwise the call returns 403. */
  readonly needs?: Action;
  /**
   * Re-authentication: the call returns 403 (`proof_required`) unless the caller recently gave their password or
   * a factor. A function decides from the validated body whether the call needs re-authentication.
   */
  readonly proof?: true | ((body: never) => boolean);
  /** Also served to a user who must have a second factor and has none, because the call sets one up. */
  readonly beforeFactor?: true;
  /**
   * A call of the page 'Mijn account', also served to an account that was registered by code and whose address
   * is not confirmed.
   */
  readonly beforeConfirmation?: true;
  /** A bearer token from the settings that also gives access: `metrics` is METRICS_TOKEN. */
  readonly token?: 'metrics';
  /** Also served to a user who must first choose a new password. */
  readonly duringPasswordChange?: true;
  readonly changes: boolean;
  /** Largest body, in bytes; the default is 1 MiB. */
  readonly bodyLimit?: number;
  /**
   * Content type of a response that is not JSON, or the types that the caller can choose from. The schema
   * `response` then only describes the response, which is not JSON.
   */
  readonly media?: string | readonly string[];
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
};

/** A response that only says what was done. */
export const MessageResponse = z.object({ message: z.string() });

/**
 * Endpoints as a contract declares them. Without `access` a call needs a session; without `changes` it changes
 * state unless its method is GET; without `response` it returns a Message.
 */
export type Endpoints = Readonly<Record<string, Declared>>;

type Usual = 'access' | 'changes' | 'response';
type Declared = Omit<Endpoint, Usual> & Partial<Pick<Endpoint, Usual>>;

/**
 * An endpoint with its defaults. Compares only the keys of endpoints, because comparing each schema would
 * double the time of the type check.
 */
type Complete<Key, E> = E &
  ('access' extends keyof E ? unknown : { readonly access: 'session' }) &
  ('changes' extends keyof E ? unknown : { readonly changes: Key extends `GET ${string}` ? false : true }) &
  ('response' extends keyof E ? unknown : { readonly response: typeof MessageResponse });

/** Returns the endpoints with their defaults. */
export const withEndpointDefaults = <Calls extends object>(declared: Calls) =>
  Object.fromEntries(
    Object.entries(declared).map(([key, endpoint]) => [
      key,
      { access: 'session', changes: !key.startsWith('GET '), response: MessageResponse, ...endpoint },
    ]),
  ) as { readonly [Key in keyof Calls]: Complete<Key, Calls[Key]> };

type Input<E extends Declared, Part extends 'query' | 'params' | 'body'> =
  E[Part] extends z.ZodType<infer _Out, infer In> ? { readonly [_ in Part]: In } : unknown;

/** The input of a call: the query, path parameters and body that the endpoint has. */
export type CallInput<E extends Declared> = Input<E, 'query'> & Input<E, 'params'> & Input<E, 'body'>;

/** The body of a 200 response. */
export type CallOutput<E extends Endpoint> = z.output<E['response']>;
