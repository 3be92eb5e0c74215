import { connect } from 'node:net';
import type { Logger } from '#server/test/loggers.ts';
import { AnswerReader } from '../answer-reader.ts';
import { STEP_SECONDS } from '../fleet.ts';
import { signUploads } from '../presigned-uploads.ts';

/** Uploads without end that takes every refusal and broken connection, as loggers do, and remembers what got a 200. */
export type SteadyLoad = {
  /** Seconds of the readings whose upload was answered 200, by stream. */
  readonly acknowledged: Map<number, number[]>;
  /** How many got a 200 so far. */
  count(): number;
  /** Other answers so far, and `broken` connections. */
  readonly refusals: ReadonlyMap<number | 'broken', number>;
  /** When the last 200 came in, ms (performance.now). */
  lastAt(): number;
  stop(): Promise<void>;
};

export type LoadTargets = {
  /** Each connection keeps to one, in turn. */
  readonly ports: readonly number[];
  readonly loggers: readonly Logger[];
  /** Of each logger's first reading, since 1970; every next one is STEP_SECONDS later. */
  readonly firstSeconds: number;
  readonly connections?: number;
};

/** The host that is signed: loggers may reach any process, and none of them cares. */
const HOST = 'werkstroom.test';
const PAUSE_MS = 20;
/** A logger gives up then, and tries again. */
const PATIENCE_MS = 20_000;
const SIGN_AT_ONCE = 256;
const CONNECTIONS = 32;

export function startSteadyLoad({
  ports,
  loggers,
  firstSeconds,
  connections = CONNECTIONS,
}: LoadTargets): SteadyLoad {
  const acknowledged = new Map(loggers.map(({ streamId }) => [streamId, [] as number[]]));
  const refusals = new Map<number | 'broken', number>();
  let signed: { n: number; bytes: Buffer }[] = [];
  let from = 0;
  let count = 0;
  let lastAt = performance.now();
  let stopping = false;

  function next(): { n: number; bytes: Buffer } {
    const upload = signed.pop();
    if (upload) return upload;
    const uploads = { loggers, host: HOST, from, count: SIGN_AT_ONCE, firstSeconds, signedAt: Date.now() };
    signed = signUploads(uploads)
      .map((bytes, n) => ({ n: from + n, bytes }))
      .reverse();
    from += SIGN_AT_ONCE;
    return next();
  }

  function note(n: number, answer: number | 'broken'): void {
    if (answer !== 200) {
      refusals.set(answer, (refusals.get(answer) ?? 0) + 1);
      return;
    }
    const { streamId } = loggers[n % loggers.length] as Logger;
    acknowledged.get(streamId)?.push(firstSeconds + Math.floor(n / loggers.length) * STEP_SECONDS);
    count += 1;
    lastAt = performance.now();
  }

  /** Until told to stop: one connection after the other, one upload after the other. */
  async function lane(port: number): Promise<void> {
    while (!stopping) {
      await converse(port);
      if (!stopping) await new Promise((later) => setTimeout(later, PAUSE_MS));
    }
  }

  const converse = (port: number): Promise<void> =>
    new Promise((over) => {
      let sent: number | undefined;
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const send = () => {
        const { n, bytes } = next();
        sent = n;
        socket.write(bytes);
      };
      const reader = new AnswerReader((status) => {
        if (sent !== undefined) note(sent, status);
        sent = undefined;
        if (stopping) socket.destroy();
        else if (status === 200) send();
        else setTimeout(() => (stopping ? socket.destroy() : send()), PAUSE_MS);
      });
      socket.setTimeout(PATIENCE_MS, () => socket.destroy());
      socket.on('connect', send);
      socket.on('data', (chunk) => reader.push(chunk));
      socket.on('error', () => {}); // 'close' follows
      socket.on('close', () => {
        if (sent !== undefined) note(sent, 'broken');
        over();
      });
    });

  const lanes = Array.from({ length: connections }, (_, n) => lane(ports[n % ports.length] as number));
  return {
    acknowledged,
    refusals,
    count: () => count,
    lastAt: () => lastAt,
    async stop() {
      stopping = true;
      await Promise.all(lanes);
    },
  };
}

/** 503: 120, broken: 32 */
export const refusalsOf = ({ refusals }: SteadyLoad): string =>
  [...refusals].map(([answer, times]) => `${answer}: ${times}`).join(', ') || 'none';
