import { z } from 'zod';
import { TERREIN_KIND_NAMES } from '#shared/domain/terrein-kinds.ts';
import type { Endpoints } from './endpoint.ts';
import { AreaInput, AreasView, MAX_AREAS, singleLineText } from './projects.ts';

/** Maximum number of characters in the name of a terrein. */
export const MAX_TERREIN_NAME_LENGTH = 120;

const fields = {
  /** Unique in the organization, regardless of upper and lower case. */
  terreinName: singleLineText(MAX_TERREIN_NAME_LENGTH).min(1, 'ontbreekt'),
  terreinKind: z.enum(TERREIN_KIND_NAMES).nullable().default(null),
  areas: z.array(AreaInput).min(1, 'ontbreken').max(MAX_AREAS, `zijn er hoogstens ${MAX_AREAS}`),
};

const Terrein = z.object({
  _id: z.number().int(),
  /** Functional name of the organization, as in other calls. */
  organization: z.string(),
  /** Display name of the organization. */
  cleanorg: z.string(),
  terreinName: z.string(),
  /** null: not stated. */
  terreinKind: z.enum(TERREIN_KIND_NAMES).nullable(),
  areas: AreasView,
  /** To be sent back with a change: the second of two simultaneous changes gets 409. */
  version: z.number().int(),
  /** Number of machines whose newest position lies on the terrein. */
  machinesNow: z.number().int(),
});
export type Terrein = z.output<typeof Terrein>;

/** Areas of an organization that are not projects: a yard, a workshop, a depot. */
export const terreinenApi = {
  'GET /api/terrein/get': {
    summary: 'The terreinen of all organizations for an administrator, of their own for others; by name.',
    dutch: 'De terreinen van alle organisaties voor een administrator, van de eigen voor anderen; op naam.',
    needs: 'see-machines',
    response: z.array(Terrein),
  },
  'POST /api/terrein/create': {
    summary:
      'Makes a terrein: an area with a name that is no project. An administrator names the organization.',
    dutch:
      'Maakt een terrein: een gebied met een naam dat geen project is. Een administrator noemt de organisatie.',
    needs: 'manage-projects',
    body: z.object({ ...fields, organization: singleLineText(254).optional() }),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/terrein/edit': {
    summary: 'Changes a terrein. Arrivals and departures of the last 35 days are computed again.',
    dutch: 'Wijzigt een terrein. Aankomst en vertrek van de laatste 35 dagen worden opnieuw bepaald.',
    needs: 'manage-projects',
    body: z.object({ ...fields, _id: z.int32(), version: z.int32() }),
    response: z.object({ message: z.string(), version: z.number().int() }),
  },
  'POST /api/terrein/delete': {
    summary: 'Deletes a terrein. Places there are called by project or town from then on.',
    dutch: 'Verwijdert een terrein. Plaatsen daar heten voortaan naar het project of de woonplaats.',
    needs: 'manage-projects',
    body: z.object({ _id: z.int32() }),
  },
} as const satisfies Endpoints;
