/** Who sends a fuzzed request. */
export type FuzzPrincipal = 'nobody' | 'user' | 'logger' | 'admin';

/** One request as it goes over the line. */
export type FuzzRequest = {
  readonly principal: FuzzPrincipal;
  /** A session of its own, for calls that end or replace the one that they come with. */
  readonly ownSession: boolean;
  /** What the generator meant it to be: 'valid', 'a nasty value' … */
  readonly kind: string;
  /** Of the operation that it was made for, as the document writes it. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, ready to be sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** From the first byte sent to the last one received. */
  readonly ms: number;
};

const brief = (text: string): string =>
  text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text;

/** For a person who wants to repeat it by hand. */
export const textOf = ({ principal, kind, method, target, headers, body }: FuzzRequest): string =>
  [
    `${principal}, ${kind}: ${method} ${brief(target)}`,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${brief(value)}`),
    ...(body === undefined ? [] : [`  ${brief(JSON.stringify(body))}`]),
  ].join('\n');
