import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const Name = z.string().trim().min(1, 'ontbreekt').max(254, 'is te lang');
const count = z.int();

const Counts = z.object({
  machines: count,
  lmbLoggers: count,
  /** Machines that another organization owned before: the history of that organization stays. */
  shared: count,
  /** Machines that another organization has now: only the history before the sale is removed. */
  sold: count,
  /** Machines that were deleted before and whose readings are still kept. */
  deleted: count,
  /** Readings from the times at which the machines belonged to the organization. */
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
  /** E-mails to people of the organization that are not sent yet. */
  mails: count,
});
export type LeavingCounts = z.output<typeof Counts>;

const LeavingOrganization = z.object({
  name: z.string(),
  clean: z.string(),
  startedAt: z.string(),
  /** When the removal begins; until then the deletion can be undone. */
  removeFrom: z.string(),
  isRemoving: z.boolean(),
});
export type LeavingOrganization = z.output<typeof LeavingOrganization>;

const Period = z.object({
  _id: z.int(),
  /** Display name of the former owner. */
  cleanorg: z.string(),
  /** null: since the beginning. */
  from: z.string().nullable(),
  to: z.string(),
  readings: count,
  /** 'erasing': the nightly upkeep is erasing the history. */
  state: z.enum(['kept', 'erasing', 'erased']),
});
export type FormerOwnershipPeriod = z.output<typeof Period>;

/** Deleting an organization with all its data, and erasing the history of one former owner of a machine (docs/privacy.md). */
export const leavingApi = {
  'GET /api/organization/leaving': {
    summary: 'Lists the organizations that are being deleted, and until when each deletion can be undone.',
    dutch: 'De organisaties die worden verwijderd, en tot wanneer dat is terug te nemen.',
    needs: 'manage-organizations',
    response: z.array(LeavingOrganization),
  },
  'GET /api/organization/leave': {
    summary:
      'Counts what deleting an organization (by its functional name) removes, and returns from when on.',
    dutch: 'Wat het verwijderen van een organisatie (functionele naam) weghaalt, geteld, en vanaf wanneer.',
    needs: 'manage-organizations',
    query: z.object({ name: Name }),
    response: z.object({ name: z.string(), clean: z.string(), counts: Counts, removeFrom: z.string() }),
  },
  'POST /api/organization/leave': {
    summary:
      'Deletes an organization (by its functional name) with all its data. It is disabled and its loggers are refused at once; its data is removed after the grace period, or at once with `isFinal`. `confirm` repeats its display name.',
    dutch:
      'Verwijdert een organisatie (functionele naam) met alles wat van haar is: zij gaat meteen uit en haar loggers worden geweigerd; wat van haar is, gaat na de bedenktijd weg, of met isFinal meteen. confirm herhaalt haar nette naam.',
    needs: 'manage-organizations',
    proof: true,
    body: z.object({ name: Name, confirm: z.string().max(254), isFinal: z.boolean() }),
  },
  'POST /api/organization/leave/undo': {
    summary:
      'Undoes the deletion of an organization (by its functional name), with its machines, loggers and keys, until the removal has begun.',
    dutch:
      'Neemt het verwijderen van een organisatie (functionele naam) terug, met haar machines, loggers en sleutels, tot het weghalen is begonnen.',
    needs: 'manage-organizations',
    body: z.object({ name: Name }),
  },
  'GET /api/machine/periods': {
    summary:
      'Lists the periods in which a machine or LMB logger belonged to former owners, with the number of stored readings.',
    dutch:
      'De tijden waarin een machine of LMB logger van een vorige eigenaar was, met hoeveel metingen daarvan zijn opgeslagen.',
    needs: 'manage-organizations',
    query: z.object({ serial: z.string().min(1, 'ontbreekt').max(200) }),
    response: z.array(Period),
  },
  'POST /api/machine/periods/erase': {
    summary:
      'Erases the history of one former owner of a machine or LMB logger, without undo. The hour meter and the history of other owners stay.',
    dutch:
      'Wist voorgoed de geschiedenis van één vorige eigenaar van een machine of LMB logger; de urenteller en de geschiedenis van andere eigenaren blijven.',
    needs: 'manage-organizations',
    proof: true,
    body: z.object({
      serial: z.string().min(1, 'ontbreekt').max(200),
      _id: z.int().min(1).max(2_147_483_647),
    }),
  },
} as const satisfies Endpoints;
