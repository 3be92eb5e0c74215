import { DbcError } from './dbc.ts';

const BLANK = /\s*/y;
const LETTERS = /[A-Za-z_]\w*/y;
const NAME = /[^\s:;,"()[\]|@]+/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const DIGITS = /\d+/y;
const UP_TO_TEXT = /[^"\n]*/y;
const BARE_WORD = /[^\S\n]*(?:[A-Z_][A-Z0-9_]*[^\S\n]*)?(?:\n|$)/y;

/**
 * Walks over the text of a DBC, one token at a time. Every step is linear in what it passes. An error names
 * the line on which the statement began.
 */
export class DbcScanner {
  readonly #text: string;
  readonly #source: string | undefined;
  #position = 0;
  /** Where the line of `#position` was last counted; only ever moves forward. */
  #countedTo = 0;
  #line = 1;
  #statementLine = 1;

  constructor(text: string, source?: string) {
    this.#text = text.replace(/\r\n?/g, '\n');
    this.#source = source;
  }

  /** Line (1-based) of the statement that is being read. */
  get line(): number {
    return this.#statementLine;
  }

  fail(reason: string, line = this.#statementLine): never {
    throw new DbcError(line, reason, this.#source);
  }

  /** Goes to the next statement; false at the end of the text. */
  nextStatement(): boolean {
    this.#match(BLANK);
    this.#statementLine = this.#lineHere();
    return this.#position < this.#text.length;
  }

  /** A keyword such as `BO_`, or undefined when something else stands here. */
  keyword(): string | undefined {
    return this.#token(LETTERS);
  }

  /** A message's or signal's name: anything up to a blank or punctuation. */
  name(what: string): string {
    return this.#token(NAME) ?? this.fail(`${what} ontbreekt`);
  }

  /** A number in any spelling: `1`, `-0.5`, `1.7E+308`. */
  number(what: string): number {
    const digits = this.#token(NUMBER) ?? this.fail(`${what} is geen getal`);
    return Number(digits);
  }

  optionalNumber(): number | undefined {
    const digits = this.#token(NUMBER);
    return digits === undefined ? undefined : Number(digits);
  }

  /** A number without sign, so that the minus of `3-5` stays behind. */
  whole(what: string): number {
    const digits = this.#token(DIGITS) ?? this.fail(`${what} is geen geheel getal`);
    return Number(digits);
  }

  /** Takes one of `characters`, and says which. */
  expect(characters: string, what: string): string {
    this.#match(BLANK);
    const found = this.#text[this.#position];
    if (found === undefined || !characters.includes(found)) {
      const quoted = [...characters].map((one) => `'${one}'`).join(' of ');
      this.fail(`${what}: ${quoted} verwacht`);
    }
    this.#position += 1;
    return found;
  }

  /** Takes `character` when it is next. */
  take(character: string): boolean {
    this.#match(BLANK);
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  /** A quoted text, over several lines if need be; `\"` is a quote inside it. Undefined when none is here. */
  optionalText(): string | undefined {
    this.#match(BLANK);
    if (this.#text[this.#position] !== '"') return undefined;
    const startLine = this.#lineHere();
    const start = this.#position + 1;
    let end = this.#text.indexOf('"', start);
    while (end !== -1 && this.#isEscaped(end, start)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) this.fail('tekst zonder afsluitend aanhalingsteken', startLine);
    this.#position = end + 1;
    return this.#text.slice(start, end).replaceAll('\\"', '"');
  }

  text(what: string): string {
    return this.optionalText() ?? this.fail(`${what}: tekst tussen aanhalingstekens verwacht`);
  }

  /** A statement ends with `;` or, as some tools have it, with its line. */
  endStatement(what: string): void {
    const before = this.#position;
    this.#match(BLANK);
    if (this.#text[this.#position] === ';') this.#position += 1;
    else if (this.#position < this.#text.length && !this.#text.slice(before, this.#position).includes('\n'))
      this.fail(`${what} is niet goed afgesloten (aanhalingsteken te veel of vergeten?)`);
  }

  /** Passes the rest of the line, and whole texts in it. */
  skipLine(): void {
    do this.#match(UP_TO_TEXT);
    while (this.optionalText() !== undefined);
  }

  /** After `NS_ :` comes a list of bare section names, which are no sections: pass them. */
  skipNames(): void {
    this.#match(UP_TO_TEXT);
    while (this.#position < this.#text.length) if (this.#match(BARE_WORD) === undefined) return;
  }

  #isEscaped(quote: number, start: number): boolean {
    let backslashes = 0;
    while (quote - backslashes > start && this.#text[quote - backslashes - 1] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #token(pattern: RegExp): string | undefined {
    this.#match(BLANK);
    return this.#match(pattern);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#position = pattern.lastIndex;
    return found;
  }

  #lineHere(): number {
    for (; this.#countedTo < this.#position; this.#countedTo++)
      if (this.#text.charCodeAt(this.#countedTo) === 10) this.#line += 1;
    return this.#line;
  }
}
