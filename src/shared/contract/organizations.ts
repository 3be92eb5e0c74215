import { z } from 'zod';
import { CUSTOMER_ROLES } from '#shared/domain/access.ts';
import { FEWEST_POSITION_DAYS, MOST_POSITION_DAYS } from '#shared/domain/privacy.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * How people come in by themselves: with the code, with the code and somebody's word, or not at all, by an invitation.
 */
export const REGISTRATIONS = ['code', 'approval', 'invitation'] as const;
export type Registration = (typeof REGISTRATIONS)[number];

/** `name` is the functional name, `clean` the display name, `code` what people register with; '' for who may not see it. */
export const Organization = z.object({
  _id: z.string(),
  name: z.string(),
  clean: z.string(),
  code: z.string(),
  isActive: z.boolean(),
  /** LMB logging customer. */
  isBerende: z.boolean(),
  registration: z.enum(REGISTRATIONS),
  /** Whether it ever had an account: the first one becomes beheerder. */
  hadAccount: z.boolean(),
});
export type Organization = z.output<typeof Organization>;

/** shared/domain/organization-name.ts has the rules for new ones. */
const Name = z
  .string()
  .trim()
  .min(1, 'ontbreekt')
  .max(254, 'is te lang')
  .regex(/^\P{C}*$/u, 'is onleesbaar');
const Flag = z.enum(['true', 'false'], "moet 'true' of 'false' zijn").transform((text) => text === 'true');

const Message = z.object({ message: z.string() });
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Hours = z.object({
  days: z
    .array(z.int().min(1).max(7))
    .max(7)
    .transform((days): readonly number[] => [...new Set(days)].sort()),
  from: Time,
  to: Time,
});
/** shared/domain/privacy.ts. */
const PrivacySettings = z.object({
  routesFrom: z.enum(CUSTOMER_ROLES),
  viewerHours: Hours.nullable(),
  positionDays: z.int().min(FEWEST_POSITION_DAYS).max(MOST_POSITION_DAYS).nullable(),
});

/** API-01, Organizations. */
export const organizationsApi = {
  'GET /api/organization/get': {
    summary:
      'All organizations for an administrator; their own for anyone else. In the order of their clean names.',
    access: 'session',
    changes: false,
    response: z.array(Organization),
  },
  'GET /api/organization/get/electric': {
    summary: 'As get, without LMB logging customers: whom a machine can belong to.',
    access: 'session',
    changes: false,
    response: z.array(Organization),
  },
  'GET /api/organization/get/berende': {
    summary: 'As get, only LMB logging customers: whom an LMB logger can belong to.',
    access: 'session',
    changes: false,
    response: z.array(Organization),
  },
  'GET /api/organization/create': {
    summary: 'Makes an organization; its registration code is made up.',
    access: 'session',
    needs: 'manage-organizations',
    changes: true,
    query: z.object({ name: Name, clean: Name, isBerende: Flag.default(false) }),
    response: Organization,
  },
  'GET /api/organization/privacy': {
    summary: 'Who of an organization sees where its machines were, and how long that is kept.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: PrivacySettings,
  },
  'POST /api/organization/privacy': {
    summary:
      'Decides who of an organization sees where its machines were, and for how many days positions are kept (null: as long as readings).',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: PrivacySettings.extend({ name: Name }),
    response: PrivacySettings,
  },
  'GET /api/organization/disable/': {
    summary:
      'Disables an organization, or enables it again; with isActive it becomes that. Disabling ends its sessions.',
    access: 'session',
    needs: 'manage-organizations',
    changes: true,
    query: z.object({ name: Name, isActive: Flag.optional() }),
    response: Organization,
  },
  'POST /api/organization/code': {
    summary: 'Gives an organization (its functional name) another code; the former one ends at once.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: z.object({ name: Name }),
    response: Message,
  },
  'POST /api/organization/clean': {
    summary:
      'Gives an organization (its functional name) another display name, by the rules of a new one; it shows everywhere at once.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: z.object({ name: Name, clean: Name }),
    response: Message,
  },
  'POST /api/organization/registration': {
    summary:
      'Sets how people come into an organization (its functional name) by themselves: with the code, with the code after an approval, or only by an invitation.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: z.object({ name: Name, registration: z.enum(REGISTRATIONS) }),
    response: Message,
  },
  'DELETE /api/organization/delete/': {
    summary: 'Deletes an organization that nothing hangs on any more; else 409 with what does.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    query: z.object({ name: Name }),
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
