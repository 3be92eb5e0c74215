import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type DemoMachine, demoMachines, LOG_HISTORY_BRAND } from '#shared/demo/fleet.ts';
import { J1939_DEMO_MACHINE } from '#shared/demo/kipstra-j1939.ts';
import { logFileKey, rxdLog } from '#simulator/can-log.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { snapshotBody } from '#simulator/logger-client.ts';
import type { SignalsAt } from '#simulator/machine-model.ts';
import { HttpResponseReader } from './answers.ts';
import { type LoggerKey, uploadSigner } from './signed-uploads.ts';
import { percentile } from './statistics.ts';

/** A load whose requests are sent at scheduled times, whether or not the portal has responded to earlier requests. */
export type OpenLoop = {
  readonly port: number;
  readonly loggers: readonly LoggerKey[];
  readonly seconds: number;
  readonly snapshotEveryMs: number;
  /** Whether each logger also sends, every ten minutes, an .rxd of the last ten minutes. */
  readonly files?: boolean;
  /** Open pages, which poll GET /api/live every 5 s with the tag of their newest response. */
  readonly pages?: { readonly count: number; readonly cookie: string };
};

/** Latencies of one kind of request, each from the time when the request was due to the last byte of its response. */
export type LatencySummary = {
  readonly sent: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The results as one line, for `details` of a result row. */
  readonly text: string;
};
export type OpenLoopResult = {
  readonly snapshots: LatencySummary;
  readonly files: LatencySummary;
  readonly polls: LatencySummary;
  /** Time from the end of the load to the last response. The portal responds to a log file once the file is decoded and stored. */
  readonly behindMs: number;
  readonly clientCores: number;
};

/** The demo's dumper whose simulated CAN bus is in the log files of all loggers. */
export const RECORDED_DEMO_MACHINE = demoMachines.find(
  ({ model, serialNumber }) =>
    model.brand === LOG_HISTORY_BRAND && serialNumber !== J1939_DEMO_MACHINE.serialNumber,
) as DemoMachine;
export const LOG_FILE_DURATION_MS = 10 * 60_000;
const POLL_EVERY_MS = 5_000;
const CONNECTIONS = 64;
/** Pause of a logger after 503. */
const RETRY_MS = 5_000;
/** Thursday 2026-11-26 at 9:00 UTC, when the simulated machines work. */
const WORK_MS = Date.UTC(2026, 10, 26, 9);

export async function runOpenLoop({
  port,
  loggers,
  seconds,
  snapshotEveryMs,
  files: sendsFiles = false,
  pages,
}: OpenLoop): Promise<OpenLoopResult> {
  const host = `127.0.0.1:${port}`;
  const sign = uploadSigner(loggers, host);
  const signalsAt = workingSignals(Date.now());
  const [snapshotLines, fileLines, pageLines] = [0, 1, 2].map(() =>
    openConnectionPool(port, CONNECTIONS),
  ) as [ConnectionPool, ConnectionPool, ConnectionPool];
  const [snapshots, files, polls] = [newTally(), newTally(), newTally()];
  const cpuBegan = process.cpuUsage();
  const began = performance.now();
  const put = async (logger: number): Promise<number> => {
    const now = Date.now();
    return (await snapshotLines.send(sign(logger, snapshotBody(signalsAt, now), now))).status;
  };
  const putFile = async (logger: number): Promise<number> => {
    const now = Date.now();
    const { loggerSerial } = loggers[logger] as LoggerKey;
    const recording = { from: now - LOG_FILE_DURATION_MS, to: now, everyMs: 1_000 };
    const body = rxdLog({ model: RECORDED_DEMO_MACHINE.model, loggerSerial }, signalsAt, recording);
    const file = logFileKey(loggerSerial, now - LOG_FILE_DURATION_MS)
      .split('/')
      .slice(1)
      .join('/');
    for (;;) {
      const { status } = await fileLines.send(sign(logger, body, Date.now(), file));
      if (status !== 503) return status;
      await wait(RETRY_MS);
    }
  };
  const tags: (string | undefined)[] = [];
  const poll = async (page: number): Promise<number> => {
    const lines = [
      `GET /api/live HTTP/1.1`,
      `host: ${host}`,
      `cookie: ${pages?.cookie}`,
      'accept-encoding: gzip',
    ];
    if (tags[page]) lines.push(`if-none-match: ${tags[page]}`);
    const { status, head } = await pageLines.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
    tags[page] = /\r\netag: *(.*)\r\n/i.exec(head)?.[1];
    return status === 304 ? 200 : status;
  };
  await Promise.all([
    spread(loggers.length, snapshotEveryMs, seconds, (logger, due) => snapshots.count(due, put(logger))),
    sendsFiles &&
      spread(loggers.length, LOG_FILE_DURATION_MS, seconds, (logger, due) =>
        files.count(due, putFile(logger)),
      ),
    pages && spread(pages.count, POLL_EVERY_MS, seconds, (page, due) => polls.count(due, poll(page))),
  ]);
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBegan);
  for (const lines of [snapshotLines, fileLines, pageLines]) lines.close();
  return {
    snapshots: snapshots.result(),
    files: files.result(),
    polls: polls.result(),
    behindMs: took - 1000 * seconds,
    clientCores: (user + system) / 1000 / took,
  };
}

/** Returns the simulated dumper's signals, shifted in time so that the dumper is at work (WORK_MS) at `now`. */
function workingSignals(now: number): SignalsAt {
  const signalsAt = demoLoggers().get(RECORDED_DEMO_MACHINE.loggerSerial)?.signalsAt as SignalsAt;
  return (time) => signalsAt(WORK_MS + time - now);
}

/**
 * Calls `ask` for numbers 0 to `count` - 1 once every `everyMs`, evenly spread, for `seconds`. Resolves when all requests have a
 * response.
 */
async function spread(
  count: number,
  everyMs: number,
  seconds: number,
  ask: (which: number, due: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const total = Math.floor((count * seconds * 1000) / everyMs);
  const open = new Set<Promise<void>>();
  await new Promise<void>((done) => {
    let asked = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      for (; asked < total; asked++) {
        const due = began + (asked * everyMs) / count;
        if (due > now) return;
        const one = ask(asked % count, due).finally(() => open.delete(one));
        open.add(one);
      }
      clearInterval(timer);
      done();
    }, 2);
  });
  await Promise.all(open);
}

function newTally() {
  const answers: Record<string, number> = {};
  const times: number[] = [];
  return {
    async count(due: number, answer: Promise<number>): Promise<void> {
      const status = await answer.catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
      times.push(performance.now() - due);
      answers[status] = (answers[status] ?? 0) + 1;
    },
    result(): LatencySummary {
      const [p50Ms = 0, p99Ms = 0, maxMs = 0] =
        times.length === 0 ? [] : [0.5, 0.99, 1].map((n) => percentile(times, n));
      return {
        sent: times.length,
        failed: times.length - (answers['200'] ?? 0),
        p50Ms,
        p99Ms,
        text: `answers ${JSON.stringify(answers)}; p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(1)} ms`,
      };
    },
  };
}

type Answer = { readonly status: number; readonly head: string };

/** A pool of at most a fixed number of keep-alive connections, like that of a reverse proxy in front of the portal. */
export type ConnectionPool = {
  /** Sends a request as soon as a connection is free, and returns the response. @throws if the connection ends before the response */
  send(request: Buffer): Promise<Answer>;
  close(): void;
};

type Waiting = { request: Buffer; answered(answer: Answer): void; failed(error: Error): void };
type Line = { socket: Socket; busy: Waiting | undefined };

/**
 * @param most largest number of connections
 * @param patienceMs time without received or sent bytes after which a connection is closed; 0 = never
 */
export function openConnectionPool(port: number, most: number, patienceMs = 0): ConnectionPool {
  const waiting: Waiting[] = [];
  // The connection that has been free for the longest time is used first, so that the server closes none for being idle.
  const free: Line[] = [];
  let open = 0;

  function next(line: Line): void {
    line.busy = waiting.shift();
    if (line.busy) line.socket.write(line.busy.request);
    else free.push(line);
  }

  function openLine(): void {
    open += 1;
    const line: Line = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), busy: undefined };
    const reader = new HttpResponseReader((status, _bytes, head) => {
      line.busy?.answered({ status, head });
      next(line);
    });
    let reason = 'the connection ended';
    line.socket.setTimeout(patienceMs, () => line.socket.destroy());
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
      // Without this a request would wait forever when every connection fails.
      if (open === 0) for (const one of waiting.splice(0)) one.failed(new Error(reason));
    });
  }

  return {
    send: (request) =>
      new Promise((answered, failed) => {
        waiting.push({ request, answered, failed });
        const line = free.shift();
        if (line) next(line);
        else if (open < most) openLine();
      }),
    close() {
      for (const { socket } of free) socket.destroy();
    },
  };
}
