import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import { AccountEmail } from './auth.ts';
import type { Endpoints } from './endpoint.ts';
import { AccessLimitInput, AccessLimitView } from './limits.ts';

/** `organization` is the functional name, `cleanorg` the display name. */
export const User = z.object({
  _id: z.string(),
  email: z.string(),
  /** Display name; null: the e-mail address is shown. */
  name: z.string().nullable(),
  organization: z.string(),
  cleanorg: z.string(),
  role: z.enum(ROLES),
  /** Has a second factor, which can be reset. */
  hasFactor: z.boolean(),
  /** The user registered with a code and has not confirmed the address: they may only see their own account. */
  mustConfirm: z.boolean(),
  /** The access restriction of the user; null: none. */
  limit: AccessLimitView,
});
export type User = z.output<typeof User>;

/** Calls about users (API-01), among others to move a user (USER-01) and to give a user a role. */
export const usersApi = {
  'GET /api/user/get': {
    summary:
      'Lists the users by e-mail address: all for an administrator, those of their own organization for a beheerder.',
    dutch:
      'Alle gebruikers voor een administrator, die van de eigen organisatie voor een beheerder; op volgorde van hun e-mailadres.',
    needs: 'see-users',
    response: z.array(User),
  },
  'DELETE /api/user/delete': {
    summary:
      'Deletes a user and ends their sessions. Refused for the last administrator. The user can register again with the code of the organization only with `mayReturn`; an invitation always works.',
    dutch:
      'Verwijdert een gebruiker en beëindigt zijn sessies. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook. Met de code van de organisatie komt hij alleen terug als mayReturn dat zegt, op uitnodiging altijd.',
    needs: 'manage-users',
    proof: true,
    query: z.object({
      email: AccountEmail,
      mayReturn: z
        .enum(['true', 'false'], "moet 'true' of 'false' zijn")
        .transform((text) => text === 'true')
        .default(false),
    }),
  },
  'POST /api/user/organization': {
    summary:
      'Moves a user to another organization (by its functional name; also admin), where they become gebruiker or technicus, and ends their sessions.',
    dutch:
      'Verplaatst een gebruiker naar een andere organisatie (haar functionele naam), ook naar admin; daar wordt hij gebruiker of technicus. Beëindigt zijn sessies.',
    needs: 'manage-organizations',
    proof: true,
    body: z.object({
      email: AccountEmail,
      organization: z
        .string()
        .trim()
        .min(1, 'ontbreekt')
        .max(254, 'is te lang')
        .regex(/^\P{C}*$/u, 'is onleesbaar'),
    }),
    response: User,
  },
  'POST /api/user/role': {
    summary:
      'Gives a user another role in their organization and ends their sessions. Refused for the last administrator.',
    dutch:
      'Geeft een gebruiker een andere rol in zijn organisatie en beëindigt zijn sessies. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ email: AccountEmail, role: z.enum(ROLES) }),
    response: User,
  },
  'POST /api/user/limit': {
    summary:
      "Limits a gebruiker or kijker to machines of some projects and labels, and a kijker to today's data, and ends their sessions; null ends the limit.",
    dutch:
      'Beperkt een gebruiker of kijker tot machines van projecten of labels, en een kijker tot vandaag; null haalt de beperking weg. Beëindigt zijn sessies.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ email: AccountEmail, limit: AccessLimitInput }),
    response: User,
  },
  'POST /api/user/link': {
    summary:
      'On a portal without a mail server (SMTP_URL): makes a link to hand over, which gives a user who registered access to the portal (confirm, 7 days), or lets a user with a lower role choose a new password (password, 30 minutes). The log shows who made the link.',
    dutch:
      'Op een portaal zonder mailserver: een link om door te geven, waarmee iemand die zich registreerde het portaal in kan, of iemand met een lagere rol een nieuw wachtwoord kiest.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ email: AccountEmail, what: z.enum(['confirm', 'password']) }),
    response: z.object({ link: z.string() }),
  },
} as const satisfies Endpoints;
