import fc from 'fast-check';
import type { Pool } from '#server/platform/database.ts';
import { type Operation, operationsOf } from './document.ts';
import { fuzzRequests } from './generate.ts';
import { monitorEventLoop } from './loop-watch.ts';
import { type FuzzRequest, requestText } from './request.ts';
import { openSender } from './send.ts';
import { brokenRulesOf } from './verdict.ts';
import { type FuzzTarget, fillFuzzPortal } from './world.ts';

export type Campaign = {
  readonly seed: number;
  readonly requests: number;
  /** Number of connections that send at the same time. */
  readonly connections: number;
  readonly publicUrl: string;
};

export type Outcome = {
  /** Rules of verdict.ts that an answer broke, each with its request, so that a person can repeat the request. */
  readonly faults: readonly string[];
  readonly seconds: number;
  readonly slowest: { readonly ms: number; readonly request: string };
  /** Longest time that the event loop was blocked, and the requests that were in progress. */
  readonly held: { readonly ms: number; readonly requests: readonly string[] };
  /** Number of answers per status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>;
  readonly operations: readonly string[];
};

/** Number of requests after which `world.mend` recreates the data that requests have changed or deleted. */
const ROUND = 100;

/** Returns the seed in `text`, the value of FUZZ_SEED, or a random seed if there is none. @throws Error if it is no whole number */
export const seedFrom = (text: string | undefined): number => {
  const seed = text === undefined || text === '' ? Math.floor(Math.random() * 2 ** 31) : Number(text);
  if (!Number.isInteger(seed)) throw new Error(`FUZZ_SEED must be a whole number, not '${text}'.`);
  return seed;
};

/** Fills an empty portal, and sends it requests generated from its own OpenAPI document. */
export async function fuzz(target: FuzzTarget, campaign: Campaign): Promise<Outcome> {
  const { seed, requests, connections, publicUrl } = campaign;
  const world = await fillFuzzPortal(target);
  await world.mend();
  const operations = await operationsOf(target.address);
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const sender = openSender(target.address, connections);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const succeeded = new Set<string>();
  let slowest = { ms: 0, request: '' };
  const underWay = new Set<FuzzRequest>();
  const loop = monitorEventLoop(() => [...underWay].map(requestText));

  async function one(request: FuzzRequest, number: number): Promise<void> {
    const cookie = await world.cookie(request.principal, request.ownSession);
    underWay.add(request);
    const answer = await sender.send(request, cookie);
    underWay.delete(request);
    if (!answer) return;
    const described = (fault: string) => `#${number} ${fault}\n${requestText(request)}`;
    if (typeof answer === 'string') {
      faults.push(described(answer));
      return;
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 400 && request.method === request.operation.split(' ', 1)[0])
      succeeded.add(request.operation);
    if (answer.ms > slowest.ms) slowest = { ms: answer.ms, request: requestText(request) };
    const operation = byName.get(request.operation) as Operation;
    for (const fault of brokenRulesOf(request, operation, answer, world, publicUrl))
      faults.push(described(fault));
  }

  const began = performance.now();
  try {
    const all = fc.sample(fuzzRequests(operations, world), { seed, numRuns: requests });
    loop.begin();
    for (let from = 0; from < all.length; from += ROUND) {
      const round = all.slice(from, from + ROUND).map((request, n) => ({ request, number: from + n }));
      const work = async (): Promise<void> => {
        for (let next = round.shift(); next; next = round.shift()) await one(next.request, next.number);
      };
      await Promise.all(Array.from({ length: connections }, work));
      await world.mend();
    }
  } finally {
    loop.end();
    sender.close();
  }
  return {
    faults,
    seconds: (performance.now() - began) / 1000,
    slowest,
    held: loop.longest(),
    statuses,
    succeeded,
    operations: operations.map(({ name }) => name),
  };
}

/** Returns the number of other connections to this database that are executing or in a transaction. */
export async function busyConnections(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return rows[0]?.n ?? 0;
}
