import { demoLoggers } from '#simulator/demo-loggers.ts';
import { snapshotBody } from '#simulator/logger-client.ts';
import type { SignalsAt } from '#simulator/machine-model.ts';
import { openLivePages } from './live-polls.ts';
import { percentile } from './median.ts';
import { type LoggerKey, uploadSigner } from './presigned-uploads.ts';
import { openUploadLines } from './upload-lines.ts';

export type SoakOrder = {
  readonly port: number;
  readonly livePath: string;
  readonly cookie: string;
  readonly loggers: readonly LoggerKey[];
  readonly seconds: number;
};

/** Of one upload endpoint. */
export type EndpointResult = {
  readonly sent: number;
  /** Answers by status; what else happened by its message. */
  readonly answers: Readonly<Record<string, number>>;
  /** From when it was due to the last byte of its answer, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Median of each 10 s, by when they were due: a portal that lags behind, and whether it catches up. */
  readonly mediansMs: readonly number[];
};
export type SoakResult = {
  readonly uploads: EndpointResult;
  readonly polls: EndpointResult;
  /** Polls that found their kept connection ended. */
  readonly reconnects: number;
  readonly clientCores: number;
};

export const UPLOAD_EVERY_MS = 10_000;
export const POLL_EVERY_MS = 5_000;
export const PAGES = 200;
const LINES = 128;
const SLOT_MS = 10_000;
/** ms between two looks at what is due. */
const TICK_MS = 2;
/** Degrees between machines that share one model of the simulator. */
const APART = 0.002;

/**
 * Every logger sends a snapshot each 10 s and every page polls each 5 s, evenly spread and at their time, whether or not
 * what went before was answered. The time of an answer counts from when the question was due.
 */
export async function soak({ port, livePath, cookie, loggers, seconds }: SoakOrder): Promise<SoakResult> {
  const lines = openUploadLines(port, LINES);
  const sign = uploadSigner(loggers, `127.0.0.1:${port}`);
  const models = signalModels(loggers.length);
  const live = openLivePages(`http://127.0.0.1:${port}${livePath}`, cookie, PAGES);
  const uploads = newTally();
  const polls = newTally();
  const cpuBegan = process.cpuUsage();
  const began = performance.now();

  await Promise.all([
    inTurn(loggers.length, UPLOAD_EVERY_MS, seconds, (logger, due) => {
      const now = Date.now();
      const request = sign(logger, snapshotBody(models[logger] as SignalsAt, now), now);
      return uploads.count(due, lines.send(request));
    }),
    inTurn(PAGES, POLL_EVERY_MS, seconds, (page, due) => polls.count(due, live.pages[page]!.poll())),
  ]);
  const { user, system } = process.cpuUsage(cpuBegan);
  const clientCores = (user + system) / 1000 / (performance.now() - began);
  lines.close();
  live.close();
  return { uploads: uploads.result(), polls: polls.result(), reconnects: live.reconnects(), clientCores };
}

/** The simulator's machines and LMB loggers come around again, each time a little further east. */
function signalModels(count: number): SignalsAt[] {
  const models = [...demoLoggers().values()].filter(({ silent }) => !silent);
  return Array.from({ length: count }, (_, n): SignalsAt => {
    const model = models[n % models.length]!.signalsAt;
    const east = APART * Math.floor(n / models.length);
    return (time) => {
      const { LONGITUDE = 0, ...others } = model(time);
      return { ...others, LONGITUDE: Number((LONGITUDE + east).toFixed(6)) };
    };
  });
}

/** Calls `ask` for each of `count` once in `everyMs`, one after the other; resolves when all are answered. */
export async function inTurn(
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
    const tick = setInterval(() => {
      const now = performance.now();
      for (; asked < total; asked++) {
        const due = began + (asked * everyMs) / count;
        if (due > now) return;
        const one = ask(asked % count, due).finally(() => open.delete(one));
        open.add(one);
      }
      clearInterval(tick);
      done();
    }, TICK_MS);
  });
  await Promise.all(open);
}

export function newTally() {
  const answers: Record<string, number> = {};
  const times: number[] = [];
  const began = performance.now();
  const slots: number[][] = [];
  let sent = 0;
  return {
    async count(due: number, answer: Promise<number>): Promise<void> {
      sent += 1;
      const what = await answer.catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
      const took = performance.now() - due;
      times.push(took);
      const slot = Math.max(0, Math.floor((due - began) / SLOT_MS));
      slots[slot] ??= [];
      slots[slot].push(took);
      answers[what] = (answers[what] ?? 0) + 1;
    },
    result: (): EndpointResult => ({
      sent,
      answers,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      maxMs: percentile(times, 1),
      // Polls come in every slot, and so do uploads: none is empty.
      mediansMs: slots.map((slot) => percentile(slot, 0.5)),
    }),
  };
}
