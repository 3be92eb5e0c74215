import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const serial = z.string().max(200);
/** The readings to erase, between two ISO times; `to` is exclusive. Without `signal`: all signals. */
const ErasedRange = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  signal: z.string().min(1).max(200).optional(),
});

const Erasure = z.object({
  id: z.int32(),
  from: z.string(),
  to: z.string(),
  /** null: all signals. */
  signal: z.string().nullable(),
  /** E-mail address, or the name of a deleted account; null: unknown. */
  madeBy: z.string().nullable(),
  madeAt: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'undoing', 'undone']),
  /** Number of readings from which values were erased so far, and number of erased values. */
  readings: z.number(),
  values: z.number(),
  /** ISO time until which the erasure can be undone. */
  until: z.string(),
});
export type Erasure = z.output<typeof Erasure>;

const Erasures = z.object({
  /** Erasures of the last 30 days, newest first. */
  erasures: z.array(Erasure),
  /** Names of the signals that the machine has sent; LATITUDE stands for positions. */
  signals: z.array(z.string()),
});
export type Erasures = z.output<typeof Erasures>;

const ErasurePreview = z.object({
  readings: z.number(),
  /**
   * Number of readings that have the signal; null: not counted, because all signals are erased or there are
   * more than 200,000 readings.
   */
  values: z.number().nullable(),
  /** Display names of the machine's owners in that time. */
  owners: z.array(z.string()),
});
export type ErasurePreview = z.output<typeof ErasurePreview>;

/** Erasing an interval of the readings of a machine or LMB logger. */
export const erasuresApi = {
  'GET /api/machine/erasure/:serial': {
    summary: 'Lists the erasures of the last 30 days, and the names of the signals that can be erased.',
    dutch:
      'Wat de laatste 30 dagen van de metingen is gewist, en de namen van de signalen die gewist kunnen worden.',
    needs: 'operate',
    params: z.object({ serial }),
    response: Erasures,
  },
  'GET /api/machine/erasure/:serial/preview': {
    summary: 'Counts what an erasure would remove: one signal or all signals, in an interval.',
    dutch: 'Wat wissen zou wegnemen in een tijd: van één signaal, of alles.',
    needs: 'operate',
    params: z.object({ serial }),
    query: ErasedRange,
    response: ErasurePreview,
  },
  'POST /api/machine/erasure/create': {
    summary:
      'Erases one signal or all signals in an interval, in the background. It can be undone for 30 days. Answers 409 while another erasure or a re-decoding is in progress.',
    dutch:
      'Wist de metingen van een tijd: één signaal, of alles. Het loopt vanzelf en kan 30 dagen worden teruggezet. 409 zolang er al gewist of opnieuw gedecodeerd wordt.',
    needs: 'operate',
    proof: true,
    body: ErasedRange.extend({ serial }),
    response: Erasures,
  },
  'POST /api/machine/erasure/undo': {
    summary: 'Undoes an erasure of the last 30 days; readings that were received since stay.',
    dutch: 'Zet terug wat de laatste 30 dagen is gewist; wat sindsdien binnenkwam, blijft.',
    needs: 'operate',
    body: z.object({ serial, id: z.int32() }),
    response: Erasures,
  },
} as const satisfies Endpoints;
