import { z } from 'zod';
import { MAILED_KINDS, RHYTHMS } from '#shared/domain/reports/mail-rhythm.ts';
import { MOST_MINUTES } from '#shared/domain/reports/settings.ts';
import type { Endpoint } from './endpoint.ts';
import { line } from './projects.ts';

const MOST_CHOSEN = 200;

const wanted = {
  report: z.enum(MAILED_KINDS, { error: 'gaat niet per mail' }),
  rhythm: z.enum(RHYTHMS),
  /** Minutes of running on a project that make a day of use. */
  minutes: z.int().min(1).max(MOST_MINUTES),
};

const ReportSubscription = z.object({
  _id: z.number().int(),
  ...wanted,
  /** Of these only; null: of all, and of none. */
  projects: z.array(z.object({ _id: z.number().int(), projectName: z.string() })).nullable(),
  /** Of these only; null: of all. One that the caller sees no more is left out. */
  machines: z.array(z.object({ serialNumber: z.string(), alias: z.string() })).nullable(),
  /** Of machines that carry any of them; null: whatever they carry. */
  labels: z.array(z.object({ _id: z.number().int(), labelName: z.string() })).nullable(),
});
export type ReportSubscription = z.output<typeof ReportSubscription>;

const Name = z.string().trim().min(1, 'ontbreekt').max(254, 'is te lang');
const Files = z.object({ mailsReportFiles: z.boolean() });
const Done = z.object({ message: z.string() });

/** Reports by mail, every week or month: one's own, and whether an organization has the file with them. */
export const reportMailsApi = {
  'GET /api/report-mail/get': {
    summary: 'Which reports the caller gets by mail.',
    access: 'session',
    changes: false,
    response: z.array(ReportSubscription),
  },
  'POST /api/report-mail/subscribe': {
    summary:
      'The caller gets a report by mail: of the week before on Monday, or of the month before on the 1st, at 06:30 in Amsterdam. Safe to repeat.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({
      ...wanted,
      projects: z.array(z.int32()).min(1).max(MOST_CHOSEN).nullable(),
      machines: z.array(line(64)).min(1).max(MOST_CHOSEN).nullable(),
      labels: z.array(z.int32()).min(1).max(MOST_CHOSEN).nullable().default(null),
    }),
    response: Done.extend({ _id: z.number().int() }),
  },
  'POST /api/report-mail/unsubscribe': {
    summary: 'Ends such a mail of the caller.',
    access: 'session',
    changes: true,
    body: z.object({ _id: z.int32() }),
    response: Done,
  },
  'GET /api/organization/report-files': {
    summary: 'Whether reports by mail to people of an organization have the file with them.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: Files,
  },
  'POST /api/organization/report-files': {
    summary:
      'Decides that: with the file (XLSX, up to 5 MB) for who may make reports, or only a link that asks to sign in.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Files.extend({ name: Name }),
    response: Files,
  },
} as const satisfies Record<string, Endpoint>;
