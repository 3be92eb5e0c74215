import { z } from 'zod';
import { type Endpoints, MessageResponse } from './endpoint.ts';

/** A person who registered with the code and waits for approval. */
const Applicant = z.object({
  _id: z.number().int(),
  email: z.string(),
  /** Functional name (as in calls) and display name (as on screens). */
  organization: z.string(),
  cleanorg: z.string(),
  asked: z.iso.datetime(),
  /** The person becomes beheerder, because the organization never had an account. */
  becomesBeheerder: z.boolean(),
});
export type Applicant = z.output<typeof Applicant>;

const ById = z.object({ _id: z.int32() });

/** Registrations that wait for approval. */
export const applicantsApi = {
  'GET /api/applicant/get': {
    summary:
      'Lists the registrations that wait for approval, oldest first: to all organizations for an administrator, to their own for a beheerder.',
    dutch:
      'Wie op toelating wacht, de langste eerst: bij alle organisaties voor een administrator, bij de eigen voor een beheerder.',
    needs: 'manage-users',
    response: z.array(Applicant),
  },
  'POST /api/applicant/admit': {
    summary:
      'Approves a registration, by its `_id`: the person has an account from then on and gets an e-mail. A portal without a mail server (SMTP_URL) answers with a link for the caller to hand over, which gives the person access to the portal.',
    dutch:
      'Laat iemand toe die wacht, op _id: die heeft vanaf dan een account en krijgt een mail. Zonder mailserver geeft het antwoord een link om door te geven.',
    needs: 'manage-users',
    // Needs re-authentication, because the first account of an organization becomes its beheerder.
    proof: true,
    body: ById,
    response: MessageResponse.extend({
      /** The link that the caller hands to the person; present only on a portal without a mail server. */
      link: z.string().optional(),
    }),
  },
  'POST /api/applicant/refuse': {
    summary:
      'Refuses a registration, by its `_id`: the person gets an e-mail and cannot register with the code again, but can be invited.',
    dutch:
      'Weigert iemand die wacht, op _id: die krijgt een mail en kan het met de code niet opnieuw vragen, wel worden uitgenodigd.',
    needs: 'manage-users',
    body: ById,
  },
} as const satisfies Endpoints;
