/** Name of a message or signal. `shortName` is the name in the file's statements, if that differs. */
type Named = { readonly name: string; readonly shortName?: string };

/**
 * The long names of a message's signals, or of a file's messages. A long name that another signal or message already has is
 * ignored, because a mapping could mean either.
 */
export class LongNames {
  readonly #taken: Set<string>;

  /** Creates the list. @param names all names in the file's statements */
  constructor(names: Iterable<string>) {
    this.#taken = new Set(names);
  }

  of(name: string, longName: string | undefined): Named {
    if (longName === undefined || longName === '' || this.#taken.has(longName)) return { name };
    this.#taken.add(longName);
    return { name: longName, shortName: name };
  }
}
