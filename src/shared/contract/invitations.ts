import { z } from 'zod';
import { ROLES, type Role } from '#shared/domain/access.ts';
import { INVITATION_DAYS } from '#shared/domain/link-validity.ts';
import { NewAccountEmail, Password } from './auth.ts';
import type { Endpoints } from './endpoint.ts';
import { AccessLimitInput, AccessLimitView } from './limits.ts';

/** An invitation that is not accepted yet; `expires` may be past. */
const Invitation = z.object({
  _id: z.number().int(),
  email: z.string(),
  /** Functional name (as in calls) and display name (as on screens). */
  organization: z.string(),
  cleanorg: z.string(),
  role: z.enum(ROLES),
  /** The person who sent the invitation; null: their account was deleted. */
  by: z.string().nullable(),
  expires: z.iso.datetime(),
  /** Whether sending the e-mail failed; the portal may still retry it. */
  mailFailed: z.boolean(),
  /** The access restriction that the account will have; null: none. */
  limit: AccessLimitView,
});
export type Invitation = z.output<typeof Invitation>;

/** The part after '#' of the link in the e-mail. */
export const InvitationToken = z.string().trim().min(1, 'ontbreekt').max(100, 'is te lang');
const ById = z.object({ _id: z.int32() });

/** Returns whether a role manages people or sees every organization. */
const isPowerful = (role: Role): boolean => role !== 'gebruiker' && role !== 'kijker';

/** Invitations by e-mail. */
export const invitationsApi = {
  'GET /api/invitation/get': {
    summary:
      'Lists the invitations that are not accepted yet, newest first: of all organizations for an administrator, of their own for a beheerder.',
    dutch:
      'De uitnodigingen die nog niemand aannam, nieuwste eerst: van alle organisaties voor een administrator, van de eigen voor een beheerder.',
    needs: 'manage-users',
    response: z.array(Invitation),
  },
  'POST /api/invitation/create': {
    summary:
      'Mails a link, valid for 7 days, for an account with that role. An administrator names the organization. An address that was invited before gets a new link, and its former links stop working. Inviting a beheerder, technicus or administrator needs re-authentication. A portal without a mail server (SMTP_URL) answers with the link, once, for the caller to hand over.',
    dutch: `Mailt een link, ${INVITATION_DAYS} dagen geldig, waarmee iemand een account met die rol krijgt. Een administrator noemt de organisatie. Wie al was uitgenodigd krijgt een nieuwe link; de vorige werken niet meer. Een portaal zonder mailserver (SMTP_URL) geeft de link één keer in het antwoord, om zelf door te geven. Met limit is iemand beperkt tot machines van projecten of labels, of (een kijker) tot vandaag.`,
    needs: 'manage-users',
    proof: ({ role }: { role: Role }) => isPowerful(role),
    body: z.object({
      email: NewAccountEmail,
      role: z.enum(ROLES),
      organization: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(254, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar')
        .optional(),
      /** The access restriction of a gebruiker or kijker; absent: none. */
      limit: AccessLimitInput.optional(),
    }),
    response: z.object({
      message: z.string(),
      /** The link that the caller hands to the invited person; present only on a portal without a mail server. */
      link: z.string().optional(),
    }),
  },
  'POST /api/invitation/revoke': {
    summary: 'Revokes an invitation, by its `_id`: its link stops working.',
    dutch: 'Trekt een uitnodiging in, op haar _id: de link doet niets meer.',
    needs: 'manage-users',
    body: ById,
  },
  'POST /api/invitation/look': {
    summary:
      'Returns the organization, role and e-mail address of an invitation, and whether the organization signs in by its own provider, or only by it.',
    dutch:
      'Bij welke organisatie, als wat en met welk adres de link van een mail uitnodigt, en of men er via een eigen inlogdienst inlogt, of alleen zo.',
    access: 'public',
    body: z.object({ token: InvitationToken }),
    response: z.object({
      email: z.string(),
      cleanorg: z.string(),
      role: z.enum(ROLES),
      /** The organization's own identity provider. */
      provider: z.object({ isOnly: z.boolean() }).nullable(),
    }),
  },
  'POST /api/invitation/accept': {
    summary:
      'Accepts an invitation: creates the account, with a new password of 8 to 128 characters. The user then signs in.',
    dutch:
      'Maakt het account waartoe de link van een mail uitnodigt, één keer, met een nieuw wachtwoord van 8 tot 128 tekens. Inloggen komt daarna.',
    access: 'public',
    body: z.object({ token: InvitationToken, password: Password }),
    response: z.object({ message: z.string(), email: z.string() }),
  },
} as const satisfies Endpoints;
