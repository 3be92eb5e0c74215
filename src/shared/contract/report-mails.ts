import { z } from 'zod';
import { MAILABLE_REPORT_KINDS, RHYTHMS } from '#shared/domain/reports/mail-rhythm.ts';
import { MAX_USE_DAY_MINUTES } from '#shared/domain/reports/settings.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { singleLineText } from './projects.ts';

const MAX_CHOSEN = 200;

const wanted = {
  report: z.enum(MAILABLE_REPORT_KINDS, { error: 'gaat niet per mail' }),
  rhythm: z.enum(RHYTHMS),
  /** Minutes of running on a project from which a day counts as a day of use. */
  minutes: z.int().min(1).max(MAX_USE_DAY_MINUTES),
};

const ReportSubscription = z.object({
  _id: z.number().int(),
  ...wanted,
  /** Only these projects; null: all projects, and time on no project. */
  projects: z.array(z.object({ _id: z.number().int(), projectName: z.string() })).nullable(),
  /** Only these machines, without those that the caller may no longer see; null: all machines. */
  machines: z.array(z.object({ serialNumber: z.string(), alias: z.string() })).nullable(),
  /** Only machines that carry at least one of these labels; null: all machines. */
  labels: z.array(z.object({ _id: z.number().int(), labelName: z.string() })).nullable(),
});
export type ReportSubscription = z.output<typeof ReportSubscription>;

const Name = z.string().trim().min(1, 'ontbreekt').max(254, 'is te lang');
const Files = z.object({ mailsReportFiles: z.boolean() });

/** Weekly and monthly reports by e-mail: the caller's subscriptions, and whether an organization's mails have the file attached. */
export const reportMailsApi = {
  'GET /api/report-mail/get': {
    summary: 'Lists the reports that the caller receives by e-mail.',
    dutch: 'Welke rapporten de aanroeper per mail krijgt.',
    response: z.array(ReportSubscription),
  },
  'POST /api/report-mail/subscribe': {
    summary:
      'Subscribes the caller to a report by e-mail: about the week before on Monday, or about the month before on the 1st, at 06:30 in Amsterdam. Safe to repeat.',
    dutch:
      'De aanroeper krijgt een rapport per mail: op maandag van de week ervoor, of op de 1e van de maand ervoor, om 06:30 in Amsterdam. Mag herhaald worden.',
    needs: 'see-machines',
    body: z.object({
      ...wanted,
      projects: z.array(z.int32()).min(1).max(MAX_CHOSEN).nullable(),
      machines: z.array(singleLineText(64)).min(1).max(MAX_CHOSEN).nullable(),
      labels: z.array(z.int32()).min(1).max(MAX_CHOSEN).nullable().default(null),
    }),
    response: MessageResponse.extend({ _id: z.number().int() }),
  },
  'POST /api/report-mail/unsubscribe': {
    summary: "Ends one of the caller's report subscriptions.",
    dutch: 'Zet zo’n mail van de aanroeper uit.',
    body: z.object({ _id: z.int32() }),
  },
  'GET /api/organization/report-files': {
    summary: 'Returns whether report e-mails to people of an organization have the file attached.',
    dutch: 'Of rapporten per mail aan mensen van een organisatie het bestand bij zich hebben.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: Files,
  },
  'POST /api/organization/report-files': {
    summary:
      'Sets whether report e-mails have the file attached (XLSX, up to 5 MB, for users who may make reports), or only a link that asks to sign in.',
    dutch:
      'Beslist dat: met het bestand (XLSX, tot 5 MB) voor wie rapporten mag maken, of alleen een link waarvoor je moet inloggen.',
    needs: 'manage-users',
    body: Files.extend({ name: Name }),
    response: Files,
  },
} as const satisfies Endpoints;
