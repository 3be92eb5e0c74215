import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const Name = z.string().trim().min(1, 'ontbreekt').max(254, 'is te lang');
const Message = z.object({ message: z.string() });
const count = z.int();

const Counts = z.object({
  machines: count,
  lmbLoggers: count,
  /** Machines among them that another organization had before: its history stays. */
  shared: count,
  /** Machines that another organization has now: only the history before the sale goes. */
  sold: count,
  /** Deleted before, and still kept. */
  deleted: count,
  /** The readings of the times at which the machines were the organization's. */
  readings: count,
  people: count,
  invitations: count,
  photos: count,
  manuals: count,
  logFiles: count,
  quarantined: count,
  projects: count,
  rules: count,
  subscriptions: count,
  webhooks: count,
  /** To its people, not sent yet. */
  mails: count,
});
export type LeavingCounts = z.output<typeof Counts>;

const LeavingOrganization = z.object({
  name: z.string(),
  clean: z.string(),
  startedAt: z.string(),
  /** From then on everything is removed; until then it can be taken back. */
  removeFrom: z.string(),
  isRemoving: z.boolean(),
});
export type LeavingOrganization = z.output<typeof LeavingOrganization>;

const Period = z.object({
  _id: z.int(),
  /** Display name of whose it was then. */
  cleanorg: z.string(),
  /** null: since the beginning. */
  from: z.string().nullable(),
  to: z.string(),
  readings: count,
  /** 'kept', 'erasing' (upkeep is at it) or 'erased'. */
  state: z.enum(['kept', 'erasing', 'erased']),
});
export type FormerPeriod = z.output<typeof Period>;

/** Deleting a customer with all that is theirs, and the history of one former owner of a machine (docs/privacy.md). */
export const leavingApi = {
  'GET /api/organization/leaving': {
    summary: 'The organizations that are being deleted, and until when each can be taken back.',
    access: 'session',
    needs: 'manage-organizations',
    changes: false,
    response: z.array(LeavingOrganization),
  },
  'GET /api/organization/leave': {
    summary: 'What deleting an organization (its functional name) removes, counted, and from when on.',
    access: 'session',
    needs: 'manage-organizations',
    changes: false,
    query: z.object({ name: Name }),
    response: z.object({ name: z.string(), clean: z.string(), counts: Counts, removeFrom: z.string() }),
  },
  'POST /api/organization/leave': {
    summary:
      'Deletes an organization (its functional name) with all that is its: it is disabled and its loggers are refused at once; what is its is removed after the grace period, or with isFinal at once. confirm repeats its display name.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    body: z.object({ name: Name, confirm: z.string().max(254), isFinal: z.boolean() }),
    response: Message,
  },
  'POST /api/organization/leave/undo': {
    summary:
      'Takes the deletion of an organization (its functional name) back, with its machines, loggers and keys, until its removal has begun.',
    access: 'session',
    needs: 'manage-organizations',
    changes: true,
    body: z.object({ name: Name }),
    response: Message,
  },
  'GET /api/machine/periods': {
    summary:
      'The times at which a machine or LMB logger was a former owner’s, with the readings that are stored of each.',
    access: 'session',
    needs: 'manage-organizations',
    changes: false,
    query: z.object({ serial: z.string().min(1, 'ontbreekt').max(200) }),
    response: z.array(Period),
  },
  'POST /api/machine/periods/erase': {
    summary:
      'Erases the history of one former owner of a machine or LMB logger, for good; the hour meter and other owners’ history stay.',
    access: 'session',
    needs: 'manage-organizations',
    proof: true,
    changes: true,
    body: z.object({
      serial: z.string().min(1, 'ontbreekt').max(200),
      _id: z.int().min(1).max(2_147_483_647),
    }),
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
