import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const text = z.string().max(200);

/** The effects of a sale: what the seller keeps, what goes to the buyer, and what ends. */
const MachineSale = z.object({
  serialNumber: z.string(),
  alias: z.string(),
  /** Display names of the seller and of the buyer. */
  seller: z.string(),
  buyer: z.string(),
  /**
   * ISO times: `at` is when the machine passes to the buyer; `ownedSince` is when it passed to the seller,
   * null: since the beginning.
   */
  at: z.string(),
  ownedSince: z.string().nullable(),
  /** Number of readings before `at`, which the seller keeps. */
  kept: z.number(),
  /** The machine's name in the seller's reports after the sale. */
  reportName: z.string(),
  /** Number of readings from `at` on, which go to the buyer. */
  given: z.number(),
  labels: z.number(),
  favourites: z.number(),
  /** Number of users who receive charging e-mails about the machine. */
  subscribers: z.number(),
  /** Names of the seller's projects to which the machine is assigned by hand after `at`. */
  projects: z.array(z.string()),
  /** Number of alert rules of the seller that name the machine. */
  rules: z.number(),
  maintenancePlans: z.number(),
  /** Serial number of the logger that goes to the buyer with the machine; '' for none. */
  loggerId: z.string(),
});
export type MachineSale = z.output<typeof MachineSale>;

/** Moving a machine to another organization ('Verkoop of verplaats'). */
export const machineSaleApi = {
  'GET /api/machine/sale/:serial': {
    summary:
      'Returns what a sale of the machine to `bedrijf` would do, in numbers. `at`: ISO time from which it is the buyer’s; default: now.',
    dutch:
      'Wat een verkoop van de machine aan bedrijf zou doen, in getallen. at: vanaf welk moment (ISO-tijd); weggelaten: nu.',
    needs: 'manage-machines',
    params: z.object({ serial: text }),
    query: z.object({ bedrijf: text, at: z.string().max(40).optional() }),
    response: MachineSale,
  },
  'POST /api/machine/sell': {
    summary:
      'Moves the machine to another organization from `at` on (ISO time, not in the future; default: now). `from`: its present organization; answers 409 when it belongs to another.',
    dutch:
      'Geeft de machine aan een andere organisatie, vanaf at (ISO-tijd, niet in de toekomst; weggelaten: nu). from: van wie zij nu is; anders volgt 409.',
    needs: 'manage-machines',
    proof: true,
    body: z.object({ serial: text, from: text, bedrijf: text, at: z.string().max(40).optional() }),
  },
} as const satisfies Endpoints;
