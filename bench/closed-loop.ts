import { connect, type Socket } from 'node:net';
import { HttpResponseReader } from './answers.ts';
import { percentile } from './statistics.ts';

export type ClosedLoop = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The status that every response must have. */
  readonly status: number;
  /** Sends every request at most once; otherwise the list is repeated. */
  readonly once: boolean;
};

export type ClosedLoopResult = {
  /** Number of responses, including those that arrived after the measured time. */
  readonly answered: number;
  /** Responses per second while the load was on. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Busy cores of this client while the load was on. */
  readonly clientCores: number;
};

/**
 * Sends requests over raw keep-alive sockets, so that no HTTP client is part of the measurement. Each connection sends its next request
 * once it has received the response to the last one. All connections are open before the clock starts.
 * @throws if a response has another status, or if a connection ends
 */
export async function runClosedLoop(
  requests: readonly Buffer[],
  { port, connections, seconds, status, once }: ClosedLoop,
): Promise<ClosedLoopResult> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)));
  const latencies: number[] = [];
  let sent = 0;
  let open = connections;
  const began = performance.now();
  const cpuBegan = process.cpuUsage();
  const deadline = began + seconds * 1000;
  let end: { at: number; answered: number; cpuMicros: number } | undefined;

  await new Promise<void>((done, failed) => {
    for (const socket of sockets) {
      let sentAt = 0;
      const next = (): void => {
        if (!end && performance.now() < deadline && !(once && sent >= requests.length)) {
          sentAt = performance.now();
          socket.write(requests[sent++ % requests.length] as Buffer);
          return;
        }
        const { user, system } = process.cpuUsage(cpuBegan);
        end ??= { at: performance.now(), answered: latencies.length, cpuMicros: user + system };
        socket.removeAllListeners('close');
        socket.destroy();
        open -= 1;
        if (open === 0) done();
      };
      const reader = new HttpResponseReader((got) => {
        if (got !== status)
          return failed(new Error(`Answer ${got} instead of ${status} after ${latencies.length}.`));
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

  const { at, answered, cpuMicros } = end ?? { at: performance.now(), answered: 0, cpuMicros: 0 };
  return {
    answered: latencies.length,
    perSecond: (answered * 1000) / (at - began),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    maxMs: percentile(latencies, 1),
    clientCores: cpuMicros / 1000 / (at - began),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      socket.on('error', () => {}); // 'close' follows
      resolve(socket);
    });
  });
}
