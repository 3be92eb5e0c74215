import type { z } from 'zod';
import type { Action } from '#shared/domain/access.ts';

/** Who may call: anybody, or a signed-in user. */
export type Access = 'public' | 'session';

/**
 * One HTTP call, described once for both sides. Its key in `api` is "METHOD /path".
 * `changes`: it changes state, so a browser may only send it from our own page (docs/design.md section 4).
 */
export type Endpoint = {
  readonly summary: string;
  readonly access: Access;
  /** What a signed-in caller must be allowed to do besides; without it 403, whatever the call is about. */
  readonly needs?: Action;
  /**
   * Re-authentication: a caller who did not give their password or a factor lately gets 403 and is asked for it first. A
   * function says for which bodies, after they were checked.
   */
  readonly proof?: true | ((body: never) => boolean);
  /** Who must have a second factor and has none may call it: it sets one up. */
  readonly beforeFactor?: true;
  /** A call of the page 'Mijn account': an account that was registered by code may make it before its address is confirmed. */
  readonly beforeConfirmation?: true;
  /** A bearer token of the settings that opens it as well: `metrics` is METRICS_TOKEN. */
  readonly token?: 'metrics';
  /** Served too for who must choose a new password first. */
  readonly duringPasswordChange?: true;
  readonly changes: boolean;
  /** Largest body in bytes, where it is not the usual 1 MiB. */
  readonly bodyLimit?: number;
  /** Content type of an answer that is not JSON, or those that the caller chooses from; `response` is then only its description. */
  readonly media?: string | readonly string[];
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
};

type Input<E extends Endpoint, Part extends 'query' | 'params' | 'body'> =
  E[Part] extends z.ZodType<infer _Out, infer In> ? { readonly [_ in Part]: In } : unknown;

/** What a client passes: the query, path parameters and body that the endpoint has. */
export type CallInput<E extends Endpoint> = Input<E, 'query'> & Input<E, 'params'> & Input<E, 'body'>;

/** What the server answers with 200. */
export type CallOutput<E extends Endpoint> = z.output<E['response']>;
