/** Maximum depth of nested arrays and objects; valid calls have at most ten levels. */
const MAX_LEVELS = 32;
/** Maximum number of commas between values; the largest project, 20 areas of 500 corners, has 20,000. */
const MAX_COMMAS = 50_000;

/** Untrusted JSON that would take long to parse or to validate. */
export class CostlyJsonError extends SyntaxError {
  /** The HTTP status with which Fastify responds. */
  readonly statusCode = 400;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Refuses JSON that would take long to parse: JSON.parse blocks the event loop for seconds on some megabytes of opening brackets or empty
 * objects.
 * @throws CostlyJsonError
 */
export function refuseCostlyJson(text: string): void {
  let levels = 0;
  let commas = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === COMMA) {
      commas += 1;
      if (commas > MAX_COMMAS) throw new CostlyJsonError(`JSON has more than ${MAX_COMMAS} values`);
    }
    // The codes of [ and {, and of ] and }, differ by 0x20.
    else if ((code & ~0x20) === 0x5b) {
      levels += 1;
      if (levels > MAX_LEVELS)
        throw new CostlyJsonError(`JSON is nested more than ${MAX_LEVELS} levels deep`);
    } else if ((code & ~0x20) === 0x5d) levels -= 1;
  }
}

/** Parses untrusted JSON. @throws SyntaxError */
export function parseJson(text: string): unknown {
  refuseCostlyJson(text);
  return JSON.parse(text);
}
