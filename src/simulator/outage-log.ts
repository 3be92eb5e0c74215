/** Logs, once for all loggers together, when deliveries begin to fail and when they succeed again. */
export type OutageLog = {
  readonly failed: (loggerSerial: string, error: unknown) => void;
  readonly delivered: (loggerSerial: string) => void;
};

/**
 * Opens the log of outages. An unreachable portal is one outage, from the first failing logger until none fails. A refusal (status
 * 4xx) is logged per logger.
 * @param now returns ms
 */
export function outageLog(print: (line: string) => void, now: () => number): OutageLog {
  const away = new Set<string>();
  const refused = new Set<string>();
  let since = 0;
  return {
    failed(loggerSerial, error) {
      const { reason, refusal } = reasonOf(error);
      if (refusal) {
        if (!refused.has(loggerSerial))
          print(`Logger ${loggerSerial} is refused: ${reason}; it keeps trying.`);
        refused.add(loggerSerial);
        return;
      }
      if (away.size === 0) {
        since = now();
        print(`The portal does not answer (${reason}); the loggers keep their files and try again.`);
      }
      away.add(loggerSerial);
    },
    delivered(loggerSerial) {
      if (refused.delete(loggerSerial)) print(`Logger ${loggerSerial} is accepted again.`);
      if (away.delete(loggerSerial) && away.size === 0) {
        print(`The portal answers again after ${Math.round((now() - since) / 1000)} s.`);
      }
    },
  };
}

/** Returns a readable reason. An S3 error has its HTTP status in `$metadata`. */
function reasonOf(error: unknown): { readonly reason: string; readonly refusal: boolean } {
  if (!(error instanceof Error)) return { reason: String(error), refusal: false };
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: string };
  const status = $metadata?.httpStatusCode ?? 0;
  // 408 and 429 mean that the client should retry later.
  const refusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { reason: code ?? (error.name === 'Error' ? error.message : error.name), refusal };
}
