/** How something is called: `shortName` is what the file's statements call it, where that is another name. */
type Named = { readonly name: string; readonly shortName?: string };

/**
 * The long names of a message's signals, or of a file's messages. One that is another's name already does not count:
 * a mapping could mean either.
 */
export class LongNames {
  readonly #taken: Set<string>;

  /** @param names all the names in the file's statements */
  constructor(names: Iterable<string>) {
    this.#taken = new Set(names);
  }

  of(name: string, longName: string | undefined): Named {
    if (longName === undefined || longName === '' || this.#taken.has(longName)) return { name };
    this.#taken.add(longName);
    return { name: longName, shortName: name };
  }
}
