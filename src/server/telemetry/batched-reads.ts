import { openSerialQueue } from '#server/platform/serial.ts';
/**
 * Returns a function that reads one value by key, and batches the reads: keys that are requested while a read is in progress are
 * read together in the next one. After a restart, or after a change that cleared the cache, ten thousand loggers that connect at
 * once cause a few queries instead of ten thousand.
 * @param read reads the values of distinct keys; a key without a value is absent from the result
 * @returns a function that reads the value of one key; the value is never older than the request
 * @throws any error of `read`
 */
export function createBatchedReader<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  type Asked = { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<Key, Value>> };
  const reads = openSerialQueue();
  let next: Asked | undefined;

  /** Collects keys for the next read, which starts when the present one has ended or failed, and not in this turn of the event loop. */
  function collect(): Asked {
    const keys = new Set<Key>();
    const found = reads.run(() => {
      next = undefined;
      return read([...keys]);
    });
    return { keys, found };
  }

  return async (key) => {
    next ??= collect();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
