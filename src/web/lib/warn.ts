/** What is "only logged" (LIVE-02, LIVE-06, MAP-03): one line in the browser's console, for who looks there. */
export function warn(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place where the web logs.
  if (cause === undefined) console.warn(message);
  // biome-ignore lint/suspicious/noConsole: as above.
  else console.warn(message, cause);
}
