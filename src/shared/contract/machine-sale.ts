import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const text = z.string().max(200);

/** A sale as it would be: what each keeps, and what ends with it. */
const MachineSale = z.object({
  serialNumber: z.string(),
  alias: z.string(),
  /** Display names of the seller and of the buyer. */
  seller: z.string(),
  buyer: z.string(),
  /** ISO times: from when on it is the buyer's; since when it was the seller's, null: since the beginning. */
  at: z.string(),
  ownedSince: z.string().nullable(),
  /** Readings of the seller's time, which the seller keeps, and readings from `at` on, which go to the buyer. */
  kept: z.number(),
  /** The machine's name in the seller's reports from then on. */
  reportName: z.string(),
  given: z.number(),
  labels: z.number(),
  favourites: z.number(),
  /** People who get charging mails of it. */
  subscribers: z.number(),
  /** Names of the seller's projects that it is assigned to by hand from `at` on. */
  projects: z.array(z.string()),
  /** Alert rules of the seller that name it. */
  rules: z.number(),
  maintenancePlans: z.number(),
  /** Serial number of the logger that goes along; '' for none. */
  loggerId: z.string(),
});
export type MachineSale = z.output<typeof MachineSale>;

/** 'Verkoop of verplaats'. */
export const machineSaleApi = {
  'GET /api/machine/sale/:serial': {
    summary:
      'What a sale of the machine to `bedrijf` would do, in numbers. `at`: ISO time from which on it is theirs; left out: now.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial: text }),
    query: z.object({ bedrijf: text, at: z.string().max(40).optional() }),
    response: MachineSale,
  },
  'POST /api/machine/sell': {
    summary:
      'Gives the machine to another organization from `at` on (ISO time, not in the future; left out: now). `from`: whose it is now, 409 when it is not.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: z.object({ serial: text, from: text, bedrijf: text, at: z.string().max(40).optional() }),
    response: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
