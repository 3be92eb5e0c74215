import type { z } from 'zod';

/** Who may call: anybody, a signed-in user, or a user of the organization `admin`. */
export type Access = 'public' | 'session' | 'admin';

/**
 * One HTTP call, described once for both sides. Its key in `api` is "METHOD /path".
 * `changes`: it changes state, so a browser may only send it from our own page (DESIGN.md section 4).
 */
export type Endpoint = {
  readonly summary: string;
  readonly access: Access;
  readonly changes: boolean;
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
