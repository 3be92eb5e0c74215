import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import { percentile } from './median.ts';

export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Every request at most once; else they come around again. */
  readonly once: boolean;
};

export type LoadResult = {
  /** Answers with the wanted status, those included that came in after the time was over. */
  readonly answered: number;
  /** Requests that were taken from the list. */
  readonly sent: number;
  /** Answers per second while the load was on. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Bytes of all answers, heads included. */
  readonly bytes: number;
  /** What this client itself used while the load was on: 1 is one core. */
  readonly clientCores: number;
};

/**
 * Closed loop over raw sockets, keep-alive: each connection sends its next request when its last one was answered,
 * so that nothing of an HTTP client is in the measurement. All connections stand before the clock runs.
 * @param requests as they go over the line
 * @param status what every answer must have
 * @throws when an answer is another one, or a connection ends
 */
export async function applyLoad(
  requests: readonly Buffer[],
  status: number,
  { port, connections, seconds, once }: Load,
): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)));
  const latencies: number[] = [];
  let sent = 0;
  let answered = 0;
  let bytes = 0;
  let open = connections;

  const began = performance.now();
  const cpuBegan = process.cpuUsage();
  const deadline = began + seconds * 1000;
  let over: { at: number; answered: number; cpuMicros: number } | undefined;
  const end = (): void => {
    const { user, system } = process.cpuUsage(cpuBegan);
    over ??= { at: performance.now(), answered, cpuMicros: user + system };
  };

  await new Promise<void>((done, failed) => {
    for (const socket of sockets) {
      let sentAt = 0;
      const next = (): void => {
        if (!over && performance.now() < deadline && !(once && sent >= requests.length)) {
          sentAt = performance.now();
          socket.write(requests[sent++ % requests.length] as Buffer);
          return;
        }
        end();
        socket.removeAllListeners('close');
        socket.destroy();
        open -= 1;
        if (open === 0) done();
      };
      const reader = new AnswerReader((got, size) => {
        if (got !== status) {
          failed(new Error(`Answer ${got} instead of ${status}, after ${answered} good ones.`));
          return;
        }
        answered += 1;
        bytes += size;
        latencies.push(performance.now() - sentAt);
        next();
      });
      socket.on('data', (chunk) => reader.push(chunk));
      socket.on('close', () => failed(new Error('The server closed a connection.')));
      next();
    }
  }).finally(() => {
    for (const socket of sockets) socket.destroy();
  });

  const { at, answered: inTime, cpuMicros } = over ?? { at: performance.now(), answered, cpuMicros: 0 };
  return {
    answered,
    sent,
    perSecond: (inTime * 1000) / (at - began),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    maxMs: percentile(latencies, 1),
    bytes,
    clientCores: cpuMicros / 1000 / (at - began),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      socket.on('error', () => {}); // 'close' follows, and tells
      resolve(socket);
    });
  });
}
