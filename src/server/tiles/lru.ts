/** Keeps what was used last, up to a total weight. */
export type Lru<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value, weight: number) => void;
  readonly delete: (key: string) => void;
  readonly weight: () => number;
};

/** `maxWeight` in the unit of the weights given to `set` (bytes, or 1 each). What is heavier by itself is not kept. */
export function createLru<Value>(maxWeight: number): Lru<Value> {
  // A Map remembers the order of insertion; what is used is inserted again, so the first is the oldest.
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;

  const remove = (key: string) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      remove(key);
      if (weight > maxWeight) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break;
        remove(oldest);
      }
    },
    delete: remove,
    weight: () => total,
  };
}
