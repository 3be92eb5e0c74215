import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** Who registered with the code and waits for somebody's word. */
const Applicant = z.object({
  _id: z.number().int(),
  email: z.string(),
  /** Functional and display name. */
  organization: z.string(),
  cleanorg: z.string(),
  asked: z.iso.datetime(),
  /** The organization never had an account: its first one becomes beheerder. */
  becomesBeheerder: z.boolean(),
});
export type Applicant = z.output<typeof Applicant>;

const ById = z.object({ _id: z.int32() });
const Message = z.object({ message: z.string() });

/** Letting people in who registered where that takes a word. */
export const applicantsApi = {
  'GET /api/applicant/get': {
    summary:
      'Who waits to be let in, to all organizations for an administrator, to their own for a beheerder; the longest first.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    response: z.array(Applicant),
  },
  'POST /api/applicant/admit': {
    summary:
      'Lets somebody in who waits, by their _id: they have an account from then on, and get a mail. A portal without a mail server (SMTP_URL) answers with a link for the caller to hand over: by it the portal opens to them.',
    access: 'session',
    needs: 'manage-users',
    // The first account of an organization becomes its beheerder.
    proof: true,
    changes: true,
    body: ById,
    response: Message.extend({
      /** To hand over; only of a portal without a mail server. */
      link: z.string().optional(),
    }),
  },
  'POST /api/applicant/refuse': {
    summary:
      'Refuses somebody who waits, by their _id: they get a mail, and cannot ask again with the code, only be invited.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: ById,
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
