import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

/** Uploads over a fixed number of keep-alive connections, as a reverse proxy in front of the portal sends them. */
export type UploadLines = {
  /**
   * Sends a request as soon as a connection is free.
   * @returns the status of its answer
   * @throws when its connection ends first
   */
  send(request: Buffer): Promise<number>;
  close(): void;
};

type Waiting = { request: Buffer; answered(status: number): void; failed(error: Error): void };
type Line = { socket: Socket; busy: Waiting | undefined };

export function openUploadLines(port: number, count: number): UploadLines {
  const waiting: Waiting[] = [];
  // The one that rested longest goes first: so none rests until the server ends it.
  const free: Line[] = [];
  let open = 0;
  let closed = false;

  function next(line: Line): void {
    line.busy = waiting.shift();
    if (line.busy) line.socket.write(line.busy.request);
    else free.push(line);
  }

  function openLine(): void {
    open += 1;
    const line: Line = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), busy: undefined };
    const reader = new AnswerReader((status) => {
      line.busy?.answered(status);
      next(line);
    });
    let reason = 'the server ended the connection';
    line.socket.on('connect', () => next(line));
    line.socket.on('data', (chunk) => reader.push(chunk));
    line.socket.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code ?? error.message;
    });
    line.socket.on('close', () => {
      open -= 1;
      const at = free.indexOf(line);
      if (at >= 0) free.splice(at, 1);
      line.busy?.failed(new Error(reason));
      // Whoever waits is not to wait for ever when every connection fails.
      if (open === 0) for (const one of waiting.splice(0)) one.failed(new Error(reason));
    });
  }

  return {
    send(request) {
      return new Promise((answered, failed) => {
        if (closed) return failed(new Error('It is closed.'));
        waiting.push({ request, answered, failed });
        const line = free.shift();
        if (line) next(line);
        else if (open < count) openLine();
      });
    },
    close() {
      closed = true;
      for (const { socket } of free) socket.destroy();
    },
  };
}
