import type { Database } from '#server/platform/database.ts';
import { limitOf } from '#server/platform/limits.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import type { Made } from '#server/reports/notes.ts';
import { openReport } from '#server/reports/open-report.ts';
import { readReport } from '#server/reports/read-report.ts';
import { NobodyWaits, type ReportQuestion } from '#server/reports/report.ts';
import { readLabels } from '#server/reports/report-labels.ts';
import { readMachines } from '#server/reports/report-machines.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import { VERSION } from '#server/version.ts';
import type { Principal, Scope } from '#shared/domain/access.ts';
import type { MailedKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import type { Period } from '#shared/domain/reports/periods.ts';
import { DEFAULT_MINUTES, instantsOf } from '#shared/domain/reports/settings.ts';
import type { ReportNews } from './report-letter.ts';

/** Of a subscription, with what its reader may see now. */
type Subscription = Principal & {
  readonly to: string;
  readonly name: string | null;
  readonly organizationName: string;
  readonly mailsReportFiles: boolean;
  readonly kind: MailedKind;
  readonly rhythm: Rhythm;
  readonly minutes: number;
  readonly projects: readonly number[] | null;
  readonly machines: readonly number[] | null;
  readonly labels: readonly number[] | null;
};

/** More than a mail may hold: only the link then. */
const LARGEST_FILE = 5 * 1024 * 1024;
/** A job is taken up by another process after five minutes. */
const LONGEST_MS = 120_000;

/**
 * @param now ms
 * @param largestFile bytes
 * @returns undefined: ended meanwhile, an address of which nobody knows that it is theirs, moved, or without the right
 */
export async function newsOf(
  db: Database,
  files: ReportThread,
  subscriptionId: number,
  period: Period,
  now: number,
  publicUrl: string,
  largestFile = LARGEST_FILE,
): Promise<ReportNews | undefined> {
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
  const made: Made = {
    question,
    by: subscription.name ?? to,
    organization: organizationName,
    at: now,
    version: VERSION,
  };
  return {
    ...about,
    ...(await readUp(db, files, scope, made, wantsFile(subscription, scope) ? largestFile : 0)),
  };
}

/** An organization says whether its figures leave by mail; those of all organizations never do. */
const wantsFile = ({ mailsReportFiles }: Subscription, { organizations, actions }: Scope): boolean =>
  mailsReportFiles && organizations !== 'all' && actions.has('make-reports');

async function readSubscription(db: Database, id: number): Promise<Subscription | undefined> {
  const { rows } = await db.query<Subscription>(
    `select a.email as to, a.name, o.id as "organizationId", o.name as organization, o.clean as "organizationName",
       o.is_berende as "isLmbCustomer", o.mails_report_files as "mailsReportFiles", a.role, o.privacy, ${limitOf('a')} as "limit",
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

/** Those that were not deleted before the period; undefined: it is limited to none. Whoever subscribed saw them. */
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
    [ids, new Date(instantsOf(period).from), scope.limited?.projects ?? null],
  );
  return rows;
}

/** Those that were the scope's in the period, and are; undefined: it is limited to none. */
async function machinesLeft(
  db: Database,
  scope: Scope,
  ids: readonly number[] | null,
  period: Period,
): Left<{ serial: string; alias: string }> {
  if (!ids) return undefined;
  const all = await readMachines(db, scope, instantsOf(period), {});
  // One that is another organization's now has no number that can be asked for.
  return all
    .filter(({ streamId, machine }) => ids.includes(streamId) && machine.serial !== '')
    .map(({ machine }) => machine);
}

type Read = Pick<ReportNews, 'summary' | 'file'>;

/** A report to its end, with its file where that is wanted and fits. @param largestFile bytes; 0: none is wanted */
async function readUp(
  db: Database,
  files: ReportThread,
  scope: Scope,
  made: Made,
  largestFile: number,
): Promise<Read> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    if (largestFile === 0) {
      const context = { db, scope, now: made.at, isGone: () => signal.aborted, units: {} };
      const report = readReport(await openReport(context, made.question), made);
      for await (const _ of report.portions);
      return { summary: report.summary(), file: undefined };
    }
    const file = await files.file({ made, scope, units: {}, format: 'xlsx' }, signal);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of file.pieces) {
      bytes += piece.length;
      // What is known at its end is told all the same.
      if (bytes <= largestFile) pieces.push(Buffer.from(piece));
      else pieces.length = 0;
    }
    const { name, contentType } = file;
    const isSmall = bytes <= largestFile;
    return {
      summary: file.summary(),
      file: isSmall ? { name, contentType, bytes: Buffer.concat(pieces) } : 'too-large',
    };
  } catch (error) {
    if (error instanceof NobodyWaits)
      return { summary: 'unread', file: largestFile > 0 ? 'too-large' : undefined };
    // Sold or deleted while it was read: the next try sees what is left.
    if (error instanceof ProblemError) throw new Error(error.message);
    throw error;
  }
}

/** The page with the same period and choice: it asks to sign in. */
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
  if (minutes !== DEFAULT_MINUTES) query.set('minuten', String(minutes));
  return `${publicUrl}/rapporten/${kind}?${query}`;
}
