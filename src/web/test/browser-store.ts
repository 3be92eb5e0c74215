/** Replaces localStorage and sessionStorage in tests. Throws, as a browser does, above `quota` characters. */
export function fakeBrowserStorage(quota = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>();
  const size = (): number => [...items].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      const before = items.get(key);
      items.set(key, value);
      if (size() <= quota) return;
      if (before === undefined) items.delete(key);
      else items.set(key, before);
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}
