import { z } from 'zod';
import { MAX_PRICE_EUROS_PER_KWH, PRICE_DECIMALS } from '#shared/domain/charging-tariffs.ts';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay, singleLineText } from './projects.ts';

/** Whether a price has no more decimals than may be entered. */
const isPrice = (price: number): boolean => Number(price.toFixed(PRICE_DECIMALS)) === price;
const Price = z
  .number()
  .min(0)
  .max(MAX_PRICE_EUROS_PER_KWH)
  .refine(isPrice, `heeft hoogstens ${PRICE_DECIMALS} decimalen`);
const Hour = z.number().int().min(0).max(23);

const fields = {
  /** The tariff applies to charging on this terrein; null: to charging anywhere else. */
  terreinId: z.int32().nullable().default(null),
  /** From this day on, 'YYYY-MM-DD' in Amsterdam, until a newer tariff begins. */
  firstDay: CalendarDay,
  /** The last day; null: no end. After the last day no tariff applies until a newer one begins. */
  lastDay: CalendarDay.nullable().default(null),
  /** Euro per kWh without VAT; applies to all hours when there is no night price. */
  dayPrice: Price,
  nightPrice: Price.nullable().default(null),
  /** The night in hours of the clock in Amsterdam; it may end on the next day. */
  nightFrom: Hour.default(23),
  nightTo: Hour.default(7),
  /** Whether the night price applies all Saturday and Sunday. */
  nightWeekend: z.boolean().default(true),
};
const Fields = z.object(fields);
export type TariffFields = z.output<typeof Fields>;

type Issue = { readonly code: 'custom'; readonly path: string[]; readonly message: string };

/** Adds an issue for each contradiction between the fields of a tariff. */
const check = (
  { firstDay, lastDay, nightPrice, nightFrom, nightTo }: TariffFields,
  { addIssue }: { addIssue(issue: Issue): void },
) => {
  const wrong = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message });
  if (lastDay !== null && lastDay < firstDay) wrong('lastDay', 'ligt voor de eerste dag');
  if (nightPrice !== null && nightFrom === nightTo) wrong('nightTo', 'is gelijk aan het begin van de nacht');
};

/** Cost of energy; null: the energy is not known. */
export const CostAnswer = z
  .object({
    /** Not rounded; null: none of the energy has a tariff. */
    euros: z.number().nullable(),
    /** kWh that have no tariff and are not in `euros`. */
    unpricedKwh: z.number(),
  })
  .nullable();
export type CostAnswer = z.output<typeof CostAnswer>;

const Tariff = z.object({
  ...fields,
  _id: z.number().int(),
  /** Functional name (as in calls) and display name (as on screens). */
  organization: z.string(),
  cleanorg: z.string(),
  terreinName: z.string().nullable(),
});
export type Tariff = z.output<typeof Tariff>;

/** Tariffs of an organization for charging; none is preset. */
export const chargingTariffsApi = {
  'GET /api/charging-tariff/get': {
    summary:
      'Lists the charging tariffs, newest first: of all organizations for an administrator, of their own for others.',
    dutch:
      'De laadtarieven van alle organisaties voor een administrator, van de eigen voor anderen; de nieuwste eerst.',
    needs: 'see-machines',
    response: z.array(Tariff),
  },
  'POST /api/charging-tariff/create': {
    summary:
      'Adds a tariff, in euro per kWh without VAT, that holds from a day on. An administrator names the organization.',
    dutch:
      'Voegt een tarief toe dat vanaf een dag geldt, in euro per kWh zonder btw. Een administrator noemt de organisatie.',
    needs: 'manage-projects',
    body: z.object({ ...fields, organization: singleLineText(254).optional() }).superRefine(check),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/charging-tariff/edit': {
    summary: 'Changes a tariff: the cost of the days on which it holds changes with it.',
    dutch: 'Wijzigt een tarief: de kosten van de dagen waarop het geldt, veranderen mee.',
    needs: 'manage-projects',
    body: z.object({ ...fields, _id: z.int32() }).superRefine(check),
  },
  'POST /api/charging-tariff/delete': {
    summary: 'Deletes a tariff; an older tariff that has no end takes its place.',
    dutch: 'Verwijdert een tarief; een ouder tarief zonder einde komt in de plaats.',
    needs: 'manage-projects',
    body: z.object({ _id: z.int32() }),
  },
} as const satisfies Endpoints;
