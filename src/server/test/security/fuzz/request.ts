/** Sender of a fuzzed request. */
export type FuzzPrincipal = 'nobody' | 'user' | 'logger' | 'admin';

/** One request as it is sent. */
export type FuzzRequest = {
  readonly principal: FuzzPrincipal;
  /** Whether the request gets its own session, because the call ends or replaces the session. */
  readonly ownSession: boolean;
  /** How the generator changed the valid request: a name of KINDS in generate.ts, such as 'valid' or 'a nasty value'. */
  readonly kind: string;
  /** Method and path of the operation that the request was generated for, as in the OpenAPI document: 'GET /api/img/{serial}'. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Time in ms from the first byte sent to the last byte received. */
  readonly ms: number;
};

const brief = (text: string): string =>
  text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text;

/** Returns the request as text, so that a person can repeat it by hand. */
export const requestText = ({ principal, kind, method, target, headers, body }: FuzzRequest): string =>
  [
    `${principal}, ${kind}: ${method} ${brief(target)}`,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${brief(value)}`),
    ...(body === undefined ? [] : [`  ${brief(JSON.stringify(body))}`]),
  ].join('\n');
