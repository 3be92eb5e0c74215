/** A file, a text that stands in it exactly once, and what takes its place. */
export type Edit = readonly [file: string, source: string, replacement: string];

/** One authorization rule, and how to show that a test needs it. */
export type Rule = {
  /** What it says, in a few words. */
  readonly rule: string;
  /** Takes the rule out. */
  readonly out: readonly Edit[];
  /** Switches off a second layer that would hide that the rule is gone; the tests that miss it too do not count. */
  readonly hiding?: readonly Edit[];
  /** Test files of which at least one test must fail. */
  readonly tests: readonly string[];
  /** A pattern for the titles of these tests, where a file has many others. */
  readonly only?: string;
};

/** The text with the edit made. @throws Error when the source is not there exactly once */
export function edited(text: string, [file, source, replacement]: Edit): string {
  const parts = text.split(source);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${source}`);
  return parts.join(replacement);
}
