import type { Caller } from '#server/auth/sessions.ts';
import { parseRange } from '#server/history/range.ts';
import type { Module } from '#server/platform/module.ts';
import { findHistory } from '#server/streams/scope.ts';
import type { Fault } from '#shared/contract/fault-codes.ts';
import type { FaultEpisode } from '#shared/domain/fault-codes.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { hasDm1, readFaults } from './fault-codes.store.ts';

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Serves the fault codes of machines (42.50). `now`: ms. */
export const faultCodes: Module<Caller> = {
  topics: {
    fault: {
      title: 'Storingen',
      about: 'De storingscodes die de besturingen (ECU’s) van een machine melden (DM1 van SAE J1939-73).',
    },
  },
  routes: (serve, { pool, now }) => {
    serve('GET /api/fault/get', async ({ caller, query: { serial, start, end, most } }) => {
      const range = start === undefined ? ALWAYS : parseRange(start, end, now());
      const history = await findHistory(pool, caller.scope, serial, ['machine']);
      const { faults, total } = await readFaults(pool, history, range, most);
      return {
        faults: faults.map(asAnswered),
        total,
        hasDm1: total > 0 || (await hasDm1(pool, history)),
      };
    });
  },
};

const iso = (ms: number): string => new Date(ms).toISOString();

const asAnswered = ({ since, lastSeen, over, ...fault }: FaultEpisode): Fault => ({
  ...fault,
  since: iso(since),
  lastSeen: iso(lastSeen),
  over: over === null ? null : iso(over),
});
