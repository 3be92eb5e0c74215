/** Levels of arrays and objects; nothing that the portal takes has more than ten. */
const MOST_LEVELS = 32;

/** JSON of somebody else, nested more than 32 levels deep. */
export class DeepJsonError extends SyntaxError {
  /** By which Fastify answers. */
  readonly statusCode = 400;

  constructor() {
    super(`JSON is nested more than ${MOST_LEVELS} levels deep`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON.parse takes seconds for some megabytes of opening brackets, and holds the event loop meanwhile.
 * @throws DeepJsonError after one pass over the text
 */
export function refuseDeepJson(text: string): void {
  let levels = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    // [ and {, ] and }: the second of each is 0x20 further.
    else if ((code & ~0x20) === 0x5b) {
      levels += 1;
      if (levels > MOST_LEVELS) throw new DeepJsonError();
    } else if ((code & ~0x20) === 0x5d) levels -= 1;
  }
}

/** JSON.parse of somebody else's text. @throws SyntaxError */
export function parseJson(text: string): unknown {
  refuseDeepJson(text);
  return JSON.parse(text);
}
