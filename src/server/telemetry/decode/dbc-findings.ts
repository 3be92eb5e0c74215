import { DbcError, type DbcWarning } from './dbc.ts';

const MOST_WARNINGS = 200;

/** What is wrong with a DBC, by line: things to read around, and the one thing that ends the reading. */
export class DbcFindings {
  /** The first 200. */
  readonly warnings: DbcWarning[] = [];
  readonly #source: string | undefined;

  constructor(source?: string) {
    this.#source = source;
  }

  warn(line: number, text: string): void {
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push({ line, text });
  }

  fail(line: number, reason: string): never {
    throw new DbcError(line, reason, this.#source);
  }
}
