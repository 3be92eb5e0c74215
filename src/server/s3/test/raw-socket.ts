import { connect, type Socket } from 'node:net';
import { type RunningEndpoint, signRequest } from '#server/s3/test/running-endpoint.ts';
import { LOGGER_CREDENTIAL } from './memory-backend.ts';

/** A connection on which a test writes any bytes and reads the answer. */
type RawSocket = {
  readonly socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** Returns everything that was received so far. */
  received(): string;
  /** Waits until the received text matches; fails when the connection closes first. */
  until(pattern: RegExp): Promise<string>;
  closed(): Promise<string>;
  /** Codes of the connection's errors: ECONNRESET … */
  readonly errors: readonly string[];
};

export async function openSocket(endpoint: RunningEndpoint): Promise<RawSocket> {
  const socket = connect(endpoint.port, '127.0.0.1');
  let text = '';
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of waiting) check();
  };
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    wake();
  });
  const errors: string[] = [];
  socket.on('error', (error: NodeJS.ErrnoException) => void errors.push(error.code ?? error.message));
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const wait = (done: () => boolean, failed: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!done() && !failed()) return;
        waiting.delete(check);
        if (done()) resolve(text);
        else reject(new Error(`the connection closed after: ${text}`));
      };
      waiting.add(check);
      check();
    });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    errors,
    received: () => text,
    until: (pattern) =>
      wait(
        () => pattern.test(text),
        () => isClosed,
      ),
    closed: () =>
      wait(
        () => isClosed,
        () => false,
      ),
  };
}

/** Returns the bytes of a request head. */
export function rawRequestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Returns the head of a signed upload, to be followed by a body. */
export function uploadHead(
  endpoint: RunningEndpoint,
  path: string,
  length: number,
  more: Readonly<Record<string, string>> = {},
  credential = LOGGER_CREDENTIAL,
): string {
  const request = { method: 'PUT', path, headers: { 'content-length': String(length), ...more } };
  return rawRequestHead(
    'PUT',
    path,
    signRequest(endpoint, request, { payloadHash: 'UNSIGNED-PAYLOAD', credential }).headers,
  );
}
