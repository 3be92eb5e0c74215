/**
 * Reads by key, many in one question: what is asked while a read is under way waits for it, and is then read together.
 * Ten thousand loggers that all come at once after a restart, or after a change that made us forget them, are a few
 * questions to the database and not ten thousand.
 * @param read of these keys, each once; a key that it does not find is not in its answer
 * @returns asks for one key; never what was read before it was asked. @throws what `read` throws
 */
export function batchedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  type Asked = { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<Key, Value>> };
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Asked | undefined;

  /** Begins after what is under way, whether that succeeds or not, and after this turn at the earliest. */
  function collect(): Asked {
    const keys = new Set<Key>();
    const found = underWay.then(() => {
      next = undefined;
      return read([...keys]);
    });
    underWay = found.catch(() => {});
    return { keys, found };
  }

  return async (key) => {
    next ??= collect();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
