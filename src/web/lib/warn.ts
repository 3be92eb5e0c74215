/** Writes a warning to the browser's console, for the failures that are "only logged" (LIVE-02, LIVE-06, MAP-03). */
export function warn(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only place where the web logs.
  if (cause === undefined) console.warn(message);
  // biome-ignore lint/suspicious/noConsole: as above.
  else console.warn(message, cause);
}
