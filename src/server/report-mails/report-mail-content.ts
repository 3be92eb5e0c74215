import type { Database } from '#server/platform/database.ts';
import { accessLimitSql } from '#server/platform/limits.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { ReaderDisconnectedError } from '#server/platform/send-chunks.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import type { ReportMetadata } from '#server/reports/notes.ts';
import { openReport } from '#server/reports/open-report.ts';
import { readReport } from '#server/reports/read-report.ts';
import type { ReportQuestion } from '#server/reports/report.ts';
import { readLabels } from '#server/reports/report-labels.ts';
import { readMachines } from '#server/reports/report-machines.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import { VERSION } from '#server/version.ts';
import type { Principal, Scope } from '#shared/domain/access.ts';
import type { Period } from '#shared/domain/periods.ts';
import type { MailableReportKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { DEFAULT_USE_DAY_MINUTES, reportRangeMs } from '#shared/domain/reports/settings.ts';
import type { ReportMailContent } from './report-email.ts';

/** A subscription with the present rights of its reader. */
type Subscription = Principal & {
  readonly to: string;
  readonly name: string | null;
  readonly organizationName: string;
  readonly mailsReportFiles: boolean;
  readonly kind: MailableReportKind;
  readonly rhythm: Rhythm;
  readonly minutes: number;
  readonly projects: readonly number[] | null;
  readonly machines: readonly number[] | null;
  readonly labels: readonly number[] | null;
};

/** Maximum size of an attached file, in bytes; above it the mail only has the link. */
const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
/** Maximum time to read a report: pg-boss gives a job to another process after five minutes. */
const MAX_REPORT_READ_MS = 120_000;

/**
 * Loads the content of a report mail.
 * @param now the present time in ms
 * @param largestFile the maximum size of an attached file in bytes
 * @returns undefined if the subscription ended, the address is not confirmed, or the reader changed organization or may not see the report
 */
export async function loadReportMail(
  db: Database,
  files: ReportThread,
  subscriptionId: number,
  period: Period,
  now: number,
  publicUrl: string,
  largestFile = MAX_ATTACHMENT_BYTES,
): Promise<ReportMailContent | undefined> {
  const subscription = await readSubscription(db, subscriptionId);
  if (!subscription) return undefined;
  const scope = await readScope(db, subscription, now);
  if (!scope.actions.has('see-machines') || scope.limited?.onlyToday) return undefined;
  const { to, kind, rhythm, minutes, organizationName } = subscription;
  const projects = await projectsLeft(db, scope, subscription.projects, period);
  const machines = await machinesLeft(db, scope, subscription.machines, period);
  const labels = subscription.labels ? await readLabels(db, scope, subscription.labels) : undefined;
  const about = {
    to,
    kind,
    rhythm,
    period,
    organization: organizationName,
    projects: projects?.map(({ name }) => name),
    machines: machines?.map(({ alias, serial }) => (alias === '' ? serial : `${alias} (#${serial})`)),
    labels: labels?.map(({ name }) => name),
    page: pageOf(publicUrl, subscription, period, { projects, machines, labels }),
  };
  if (projects?.length === 0 || machines?.length === 0 || labels?.length === 0)
    return { ...about, summary: 'none', file: undefined };
  const question: ReportQuestion = {
    kind,
    settings: { ...period, minutes, signals: [], step: 0 },
    ...(projects && { projects: projects.map(({ id }) => id) }),
    ...(machines && { machines: machines.map(({ serial }) => serial) }),
    ...(labels && { labels }),
  };
  const metadata: ReportMetadata = {
    question,
    by: subscription.name ?? to,
    organization: organizationName,
    at: now,
    version: VERSION,
  };
  return {
    ...about,
    ...(await readCompletely(db, files, scope, metadata, wantsFile(subscription, scope) ? largestFile : 0)),
  };
}

/** Returns whether a file is attached: the organization's setting decides, and a reader who sees all organizations never gets a file. */
const wantsFile = ({ mailsReportFiles }: Subscription, { organizations, actions }: Scope): boolean =>
  mailsReportFiles && organizations !== 'all' && actions.has('make-reports');

async function readSubscription(db: Database, id: number): Promise<Subscription | undefined> {
  const { rows } = await db.query<Subscription>(
    `select a.email as to, a.name, o.id as organization_id, o.name as organization, o.clean as organization_name,
       o.is_berende as is_lmb_customer, o.mails_report_files, a.role, o.privacy, ${accessLimitSql('a')} as "limit",
       r.kind, r.rhythm, r.minutes, r.projects, r.machines, r.labels
     from report_subscription r
     join account a on a.id = r.account_id and /*rule:report-mail-same-organization*/ a.organization_id = r.organization_id /*=true*/
     join organization o on o.id = a.organization_id and o.is_active
     where r.id = $1 and a.confirmed_at is not null`,
    [id],
  );
  return rows[0];
}

type Left<Item> = Promise<readonly Item[] | undefined>;

/**
 * Returns the projects that were not deleted before the period; undefined: the report is not limited to projects. Projects that were
 * deleted later may be named, because the subscriber saw them when subscribing.
 */
async function projectsLeft(
  db: Database,
  scope: Scope,
  ids: readonly number[] | null,
  period: Period,
): Left<{ id: number; name: string }> {
  if (!ids) return undefined;
  const { rows } = await db.query<{ id: number; name: string }>(
    `select id, name from project where id = any ($1::integer[]) and (deleted_at is null or deleted_at > $2)
       and ($3::integer[] is null or id = any ($3))
     order by lower(name), id`,
    [ids, new Date(reportRangeMs(period).from), scope.limited?.projects ?? null],
  );
  return rows;
}

/** Returns the machines that belonged to the scope in the period and still do; undefined: the report is not limited to machines. */
async function machinesLeft(
  db: Database,
  scope: Scope,
  ids: readonly number[] | null,
  period: Period,
): Left<{ serial: string; alias: string }> {
  if (!ids) return undefined;
  const all = await readMachines(db, scope, reportRangeMs(period), {});
  // A machine that belongs to another organization now is left out: the report shows no serial number for it, so the report cannot be
  // limited to it.
  return all
    .filter(({ streamId, machine }) => ids.includes(streamId) && machine.serial !== '')
    .map(({ machine }) => machine);
}

type Read = Pick<ReportMailContent, 'summary' | 'file'>;

/**
 * Reads a report completely, with its file if one is attached and not too large.
 * @param largestFile the maximum size of the file in bytes; 0: no file is attached
 */
async function readCompletely(
  db: Database,
  files: ReportThread,
  scope: Scope,
  metadata: ReportMetadata,
  largestFile: number,
): Promise<Read> {
  const signal = AbortSignal.timeout(MAX_REPORT_READ_MS);
  try {
    if (largestFile === 0) {
      const context = { db, scope, now: metadata.at, isGone: () => signal.aborted, units: {} };
      const report = readReport(await openReport(context, metadata.question), metadata);
      for await (const _ of report.portions);
      return { summary: report.summary(), file: undefined };
    }
    const file = await files.file({ metadata, scope, units: {}, format: 'xlsx' }, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of file.chunks) {
      bytes += chunk.length;
      // Continues to read beyond the limit, because the summary is known only at the end.
      if (bytes <= largestFile) chunks.push(Buffer.from(chunk));
      else chunks.length = 0;
    }
    const { name, contentType } = file;
    const isSmall = bytes <= largestFile;
    return {
      summary: file.summary(),
      file: isSmall ? { name, contentType, bytes: Buffer.concat(chunks) } : 'too-large',
    };
  } catch (error) {
    if (error instanceof ReaderDisconnectedError)
      return { summary: 'unread', file: largestFile > 0 ? 'too-large' : undefined };
    // A machine was sold or deleted while the report was read: the retry reads the remaining machines.
    if (error instanceof ProblemError) throw new Error(error.message);
    throw error;
  }
}

/** Returns the address of the page with the same period and selection; the page requires a sign-in. */
function pageOf(
  publicUrl: string,
  { kind, minutes }: Subscription,
  { from, to }: Period,
  {
    projects = [],
    machines = [],
    labels = [],
  }: {
    readonly projects: readonly { readonly id: number }[] | undefined;
    readonly machines: readonly { readonly serial: string }[] | undefined;
    readonly labels: readonly { readonly id: number }[] | undefined;
  },
): string {
  const query = new URLSearchParams({ van: from, tot: to });
  for (const { id } of projects) query.append('project', String(id));
  for (const { serial } of machines) query.append('machine', serial);
  for (const { id } of labels) query.append('label', String(id));
  if (minutes !== DEFAULT_USE_DAY_MINUTES) query.set('minuten', String(minutes));
  return `${publicUrl}/rapporten/${kind}?${query}`;
}
