import { z } from 'zod';
import { LABEL_CHARACTERS, LABEL_COLOUR_NAMES } from '#shared/domain/labels.ts';
import type { Endpoints } from './endpoint.ts';
import { singleLineText } from './projects.ts';

/** Normalizes the name: single spaces and Unicode NFC, so that names that look equal are equal. */
const labelName = singleLineText(LABEL_CHARACTERS)
  .min(1, 'ontbreekt')
  .overwrite((name) => name.normalize('NFC').replace(/\s+/g, ' '));
const labelColour = z.enum(LABEL_COLOUR_NAMES);

const Label = z.object({
  _id: z.number().int(),
  labelName: z.string(),
  labelColour,
  /** Functional name (as in calls) and display name (as on screens) of the organization. */
  organization: z.string(),
  cleanorg: z.string(),
  /** Serial numbers of the machines that carry the label. */
  machines: z.array(z.string()),
});
export type Label = z.output<typeof Label>;

const Labels = z.object({
  /** Sorted by name. */
  labels: z.array(Label),
  /** Serial numbers of the caller's own favourites. */
  favourites: z.array(z.string()),
});
export type Labels = z.output<typeof Labels>;

const serial = singleLineText(64).min(1, 'ontbreekt');
const OfMachine = z.object({ _id: z.int32(), serial });

/** Labels that an organization gives its machines, and each user's favourite machines. */
export const labelsApi = {
  'GET /api/label/get': {
    summary:
      "Lists the labels with their machines (of all organizations for an administrator, of their own for others), and the caller's favourites.",
    dutch:
      'De labels van alle organisaties voor een administrator, van de eigen voor anderen, elk met de machines die het dragen; en de eigen favorieten.',
    needs: 'see-machines',
    response: Labels,
  },
  'POST /api/label/create': {
    summary: 'Creates a label. An administrator names the organization.',
    dutch: 'Maakt een label. Een administrator noemt de organisatie.',
    needs: 'set-labels',
    body: z.object({ labelName, labelColour, organization: singleLineText(254).optional() }),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/label/edit': {
    summary: 'Changes the name or colour of a label; an omitted field stays as it is.',
    dutch: 'Geeft een label een andere naam of kleur; wat wordt weggelaten blijft.',
    needs: 'set-labels',
    body: z.object({
      _id: z.int32(),
      labelName: labelName.optional(),
      labelColour: labelColour.optional(),
    }),
  },
  'POST /api/label/delete': {
    summary: 'Deletes a label, also from the machines that carry it.',
    dutch: 'Verwijdert een label, van elke machine die het draagt.',
    needs: 'set-labels',
    body: z.object({ _id: z.int32() }),
  },
  'POST /api/label/assign': {
    summary: 'Gives a machine a label of its organization. Safe to repeat.',
    dutch: 'Geeft een machine een label van haar eigen organisatie. Mag herhaald worden.',
    needs: 'set-labels',
    body: OfMachine,
  },
  'POST /api/label/unassign': {
    summary: 'Removes a label from a machine. Safe to repeat.',
    dutch: 'Haalt een label van een machine. Mag herhaald worden.',
    needs: 'set-labels',
    body: OfMachine,
  },
  'POST /api/favourite/add': {
    summary: "Adds a machine to the caller's favourites. Safe to repeat.",
    dutch: 'Maakt een machine een van de eigen favorieten. Mag herhaald worden.',
    needs: 'see-machines',
    body: z.object({ serial }),
  },
  'POST /api/favourite/remove': {
    summary: "Removes a machine from the caller's favourites. Safe to repeat.",
    dutch: 'Een machine is geen eigen favoriet meer. Mag herhaald worden.',
    needs: 'see-machines',
    body: z.object({ serial }),
  },
} as const satisfies Endpoints;
