const HEAD_END = '\r\n\r\n';

/**
 * Finds where the responses on a keep-alive connection start and end, and counts their bytes. Every response
 * must have either a content-length, or no body and no content-length.
 */
export class HttpResponseReader {
  readonly #onAnswer: (status: number, bytes: number, head: string) => void;
  #rest = Buffer.alloc(0);
  #head = '';
  #size = 0;
  #bodyLeft = 0;

  /** @param onAnswer called at the end of each response, with its status, its bytes (head included) and its head */
  constructor(onAnswer: (status: number, bytes: number, head: string) => void) {
    this.#onAnswer = onAnswer;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#bodyLeft > 0 ? this.#readBody(chunk, at) : this.#readHead(chunk, at);
  }

  #readHead(chunk: Buffer, at: number): number {
    const rest = chunk.subarray(at);
    // Nearly every head arrives in one chunk, so that nothing is copied.
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, rest]) : rest;
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) {
      this.#rest = Buffer.from(bytes);
      return chunk.length;
    }
    this.#size = end + HEAD_END.length;
    this.#head = bytes.toString('latin1', 0, this.#size);
    const next = at + this.#size - this.#rest.length;
    this.#rest = Buffer.alloc(0);
    // A 304 response has no body, whatever its length says (RFC 9110, 8.6).
    const length = this.#head.startsWith('304', 9)
      ? '0'
      : /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1];
    this.#bodyLeft = Number(length ?? 0);
    if (/\r\ntransfer-encoding:/i.test(this.#head)) throw new Error('A chunked answer is not expected here.');
    if (this.#bodyLeft === 0) this.#finish();
    return next;
  }

  #readBody(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#bodyLeft, chunk.length - at);
    this.#bodyLeft -= taken;
    this.#size += taken;
    if (this.#bodyLeft === 0) this.#finish();
    return at + taken;
  }

  #finish(): void {
    this.#onAnswer(Number(this.#head.slice(9, 12)), this.#size, this.#head); // HTTP/1.1 200
  }
}
