const HEAD_END = '\r\n\r\n';

/**
 * Finds where the answers of a keep-alive connection begin and end; their content is only counted. Answers must
 * have a content-length, or none and no body.
 */
export class AnswerReader {
  readonly #onAnswer: (status: number, bytes: number) => void;
  #head = Buffer.alloc(0);
  #status = 0;
  #size = 0;
  #bodyLeft = 0;

  /** @param onAnswer called at the end of each answer, with its status and its bytes, head included */
  constructor(onAnswer: (status: number, bytes: number) => void) {
    this.#onAnswer = onAnswer;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#bodyLeft > 0 ? this.#readBody(chunk, at) : this.#readHead(chunk, at);
  }

  #readHead(chunk: Buffer, at: number): number {
    const rest = chunk.subarray(at);
    // Nearly always whole: nothing is copied.
    const head = this.#head.length > 0 ? Buffer.concat([this.#head, rest]) : rest;
    const end = head.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = Buffer.from(head);
      return chunk.length;
    }
    const size = end + HEAD_END.length;
    const text = head.toString('latin1', 0, size);
    const next = at + size - this.#head.length;
    this.#head = Buffer.alloc(0);
    this.#status = Number(text.slice(9, 12)); // HTTP/1.1 200
    this.#size = size;
    this.#bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
    if (this.#status === 304) this.#bodyLeft = 0; // whatever the length says (RFC 9110, 8.6)
    if (/\r\ntransfer-encoding:/i.test(text)) throw new Error('A chunked answer is not expected here.');
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
    this.#onAnswer(this.#status, this.#size);
  }
}
