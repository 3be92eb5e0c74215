import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const serial = z.string().max(200);
/** ISO times; the end is not part of it. `signal` left out: everything. */
const Stretch = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  signal: z.string().min(1).max(200).optional(),
});

const Erasure = z.object({
  id: z.int32(),
  from: z.string(),
  to: z.string(),
  /** null: everything. */
  signal: z.string().nullable(),
  /** An e-mail address, or what is left of an account; null: unknown. */
  madeBy: z.string().nullable(),
  madeAt: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'undoing', 'undone']),
  /** Readings of which something was erased so far, and values. */
  readings: z.number(),
  values: z.number(),
  /** ISO time until which it can be undone. */
  until: z.string(),
});
export type Erasure = z.output<typeof Erasure>;

const Erasures = z.object({
  /** Erasures of the last 30 days, newest first. */
  erasures: z.array(Erasure),
  /** Names of signals that the machine has sent; a position is LATITUDE. */
  signals: z.array(z.string()),
});
export type Erasures = z.output<typeof Erasures>;

const ErasurePreview = z.object({
  readings: z.number(),
  /** Readings that have the signal; null: not counted, because everything is erased or there are more than 200,000 readings. */
  values: z.number().nullable(),
  /** Display names of whose the machine was in that time. */
  owners: z.array(z.string()),
});
export type ErasurePreview = z.output<typeof ErasurePreview>;

/** Erasing a stretch of a machine's or LMB logger's readings. */
export const erasuresApi = {
  'GET /api/machine/erasure/:serial': {
    summary:
      'What was erased of the readings in the last 30 days, and the names of the signals that can be erased.',
    access: 'session',
    needs: 'operate',
    changes: false,
    params: z.object({ serial }),
    response: Erasures,
  },
  'GET /api/machine/erasure/:serial/preview': {
    summary: 'What erasing a stretch would take: of one signal, or everything.',
    access: 'session',
    needs: 'operate',
    changes: false,
    params: z.object({ serial }),
    query: Stretch,
    response: ErasurePreview,
  },
  'POST /api/machine/erasure/create': {
    summary:
      'Erases a stretch of the readings: one signal, or everything. It runs by itself and can be undone for 30 days. 409 while another one or decoding again is under way.',
    access: 'session',
    needs: 'operate',
    proof: true,
    changes: true,
    body: Stretch.extend({ serial }),
    response: Erasures,
  },
  'POST /api/machine/erasure/undo': {
    summary: 'Puts back what was erased in the last 30 days; what came since stays.',
    access: 'session',
    needs: 'operate',
    changes: true,
    body: z.object({ serial, id: z.int32() }),
    response: Erasures,
  },
} as const satisfies Record<string, Endpoint>;
