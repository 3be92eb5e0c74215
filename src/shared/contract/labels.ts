import { z } from 'zod';
import { LABEL_CHARACTERS, LABEL_COLOUR_NAMES } from '#shared/domain/labels.ts';
import type { Endpoint } from './endpoint.ts';
import { line } from './projects.ts';

/** One spelling: as many spaces as one sees, and one way to write each letter. */
const labelName = line(LABEL_CHARACTERS)
  .min(1, 'ontbreekt')
  .overwrite((name) => name.normalize('NFC').replace(/\s+/g, ' '));
const labelColour = z.enum(LABEL_COLOUR_NAMES);

const Label = z.object({
  _id: z.number().int(),
  labelName: z.string(),
  labelColour,
  /** Functional and display name of whose it is. */
  organization: z.string(),
  cleanorg: z.string(),
  /** Serial numbers of the machines that carry it. */
  machines: z.array(z.string()),
});
export type Label = z.output<typeof Label>;

const Labels = z.object({
  /** By name. */
  labels: z.array(Label),
  /** Serial numbers of the caller's own favourites. */
  favourites: z.array(z.string()),
});
export type Labels = z.output<typeof Labels>;

const Done = z.object({ message: z.string() });
const serial = line(64).min(1, 'ontbreekt');
const OfMachine = z.object({ _id: z.int32(), serial });

/** Words that an organization gives its machines, and the machines that somebody wants at hand. */
export const labelsApi = {
  'GET /api/label/get': {
    summary:
      'The labels of all organizations for an administrator, of their own for others, each with the machines that carry it; and the caller’s favourites.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: Labels,
  },
  'POST /api/label/create': {
    summary: 'Makes a label. An administrator names the organization.',
    access: 'session',
    needs: 'set-labels',
    changes: true,
    body: z.object({ labelName, labelColour, organization: line(254).optional() }),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/label/edit': {
    summary: 'Gives a label another name or colour; what is left out stays.',
    access: 'session',
    needs: 'set-labels',
    changes: true,
    body: z.object({
      _id: z.int32(),
      labelName: labelName.optional(),
      labelColour: labelColour.optional(),
    }),
    response: Done,
  },
  'POST /api/label/delete': {
    summary: 'Deletes a label, from every machine that carries it.',
    access: 'session',
    needs: 'set-labels',
    changes: true,
    body: z.object({ _id: z.int32() }),
    response: Done,
  },
  'POST /api/label/assign': {
    summary: 'Gives a machine a label of its own organization. Safe to repeat.',
    access: 'session',
    needs: 'set-labels',
    changes: true,
    body: OfMachine,
    response: Done,
  },
  'POST /api/label/unassign': {
    summary: 'Takes a label from a machine. Safe to repeat.',
    access: 'session',
    needs: 'set-labels',
    changes: true,
    body: OfMachine,
    response: Done,
  },
  'POST /api/favourite/add': {
    summary: 'Makes a machine one of the caller’s favourites. Safe to repeat.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({ serial }),
    response: Done,
  },
  'POST /api/favourite/remove': {
    summary: 'A machine is no favourite of the caller’s any more. Safe to repeat.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({ serial }),
    response: Done,
  },
} as const satisfies Record<string, Endpoint>;
