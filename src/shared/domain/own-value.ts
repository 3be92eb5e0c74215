/**
 * Untrusted names (of signals, messages, columns) as keys of plain objects. Such a name may be `constructor` or `__proto__`, which an
 * object inherits from its prototype.
 */

/** Returns the object's own entry with that name; undefined when it has none. */
export const getOwnProperty = <Value>(
  of: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined);
