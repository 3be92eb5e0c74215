/** The JSON object in a small file of a logger; a byte order mark is passed. Undefined when it is anything else. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = bytes.toString();
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
