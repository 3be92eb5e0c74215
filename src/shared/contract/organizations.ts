import { z } from 'zod';
import { CUSTOMER_ROLES } from '#shared/domain/access.ts';
import { MAX_POSITION_RETENTION_DAYS, MIN_POSITION_RETENTION_DAYS } from '#shared/domain/privacy.ts';
import type { Endpoints } from './endpoint.ts';

/** How people join an organization: with its registration code, with the code after an approval, or only by an invitation. */
export const REGISTRATION_MODES = ['code', 'approval', 'invitation'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** `name`: functional name. `clean`: display name. `code`: registration code, '' for a caller who may not see it. */
export const Organization = z.object({
  _id: z.string(),
  name: z.string(),
  clean: z.string(),
  code: z.string(),
  isActive: z.boolean(),
  /** Whether the organization is an LMB customer: a customer with LMB loggers instead of machines. */
  isBerende: z.boolean(),
  registration: z.enum(REGISTRATION_MODES),
  /** Whether the organization ever had an account; the first account becomes beheerder. */
  hadAccount: z.boolean(),
});
export type Organization = z.output<typeof Organization>;

/** A name as typed. The rules for a new one are in shared/domain/organization-name.ts. */
const Name = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(254, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const Flag = z.enum(['true', 'false'], "moet 'true' of 'false' zijn").transform((text) => text === 'true');

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Hours = z.object({
  days: z
    .array(z.int().min(1).max(7))
    .max(7)
    .transform((days): readonly number[] => [...new Set(days)].sort()),
  from: Time,
  to: Time,
});
/** The privacy settings of an organization, which shared/domain/privacy.ts explains. */
const PrivacySettings = z.object({
  routesFrom: z.enum(CUSTOMER_ROLES),
  viewerHours: Hours.nullable(),
  positionDays: z.int().min(MIN_POSITION_RETENTION_DAYS).max(MAX_POSITION_RETENTION_DAYS).nullable(),
});

/** Calls about organizations (API-01). */
export const organizationsApi = {
  'GET /api/organization/get': {
    summary: 'Lists the organizations by display name: all for an administrator, their own for others.',
    dutch:
      'Voor wie van admin is alle organisaties, voor een ander alleen de eigen, op volgorde van hun naam.',
    response: z.array(Organization),
  },
  'GET /api/organization/get/electric': {
    summary:
      'As GET /api/organization/get, without LMB logging customers: organizations that can have machines.',
    dutch: 'Alleen organisaties van wie een machine kan zijn.',
    response: z.array(Organization),
  },
  'GET /api/organization/get/berende': {
    summary:
      'As GET /api/organization/get, only LMB logging customers: organizations that can have LMB loggers.',
    dutch: 'Alleen LMB-klanten: organisaties van wie een LMB-logger kan zijn.',
    response: z.array(Organization),
  },
  'GET /api/organization/create': {
    summary: 'Creates an organization with a generated registration code.',
    dutch: 'Maakt een organisatie; het portaal bedenkt haar registratiecode.',
    needs: 'manage-organizations',
    changes: true,
    query: z.object({ name: Name, clean: Name, isBerende: Flag.default(false) }),
    response: Organization,
  },
  'GET /api/organization/privacy': {
    summary:
      'Returns which users of an organization may see past positions of its machines, and how long positions are kept.',
    dutch: 'Wie van een organisatie ziet waar haar machines waren, en hoe lang dat wordt bewaard.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: PrivacySettings,
  },
  'POST /api/organization/privacy': {
    summary:
      'Sets which users of an organization may see past positions of its machines, and for how many days positions are kept (null: as long as readings).',
    dutch:
      'Bepaalt wie van een organisatie ziet waar haar machines waren, en hoeveel dagen posities worden bewaard (null: zo lang als metingen).',
    needs: 'manage-users',
    body: PrivacySettings.extend({ name: Name }),
    response: PrivacySettings,
  },
  'GET /api/organization/disable/': {
    summary:
      'Disables an organization, or enables a disabled one; `isActive` sets which. Disabling ends the sessions of its users.',
    dutch:
      'Zet een organisatie uit, of weer aan; met isActive wordt zij wat daar staat. Uitzetten beëindigt haar sessies.',
    needs: 'manage-organizations',
    changes: true,
    query: z.object({ name: Name, isActive: Flag.optional() }),
    response: Organization,
  },
  'POST /api/organization/code': {
    summary:
      'Gives an organization (by its functional name) a new registration code; the former code stops working at once.',
    dutch: 'Geeft een organisatie (functionele naam) een andere code; de vorige werkt meteen niet meer.',
    needs: 'manage-users',
    body: z.object({ name: Name }),
  },
  'POST /api/organization/clean': {
    summary:
      'Gives an organization (by its functional name) another display name, which shows everywhere at once. The rules for a new name apply.',
    dutch:
      'Geeft een organisatie (functionele naam) een andere nette naam, volgens de regels van een nieuwe; die staat meteen overal.',
    needs: 'manage-users',
    body: z.object({ name: Name, clean: Name }),
  },
  'POST /api/organization/registration': {
    summary:
      'Sets how people join an organization (by its functional name): with the code, with the code after an approval, or only by an invitation.',
    dutch:
      'Stelt in hoe mensen zelf bij een organisatie (functionele naam) komen: met de code, met de code na goedkeuring, of alleen op uitnodiging.',
    needs: 'manage-users',
    body: z.object({ name: Name, registration: z.enum(REGISTRATION_MODES) }),
  },
  'DELETE /api/organization/delete/': {
    summary: 'Deletes an organization that has nothing left; otherwise answers 409 with what it still has.',
    dutch: 'Verwijdert een organisatie waar niets meer aan vastzit; anders zegt 409 wat dat is.',
    needs: 'manage-organizations',
    proof: true,
    query: z.object({ name: Name }),
  },
} as const satisfies Endpoints;
