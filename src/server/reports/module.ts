import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { openPathViewAudit } from '#server/history/path-views.ts';
import { audit } from '#server/platform/audit.ts';
import type { Pool } from '#server/platform/database.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { ReaderDisconnectedError, sendFile } from '#server/platform/send-chunks.ts';
import { findHistory } from '#server/streams/scope.ts';
import { VERSION } from '#server/version.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { formatsOf } from '#shared/domain/reports/kinds.ts';
import { hasPositionSignal } from '#shared/domain/reports/metingen.ts';
import {
  MAX_DAYS_IN_FILE,
  MAX_DAYS_ON_SCREEN,
  ROWS_ON_SCREEN,
  reportRangeMs,
} from '#shared/domain/reports/settings.ts';
import { footOfJson, headOfJson, reportRowCells } from './json.ts';
import type { ReportMetadata } from './notes.ts';
import { openReport } from './open-report.ts';
import { parseReportQuestion } from './read-question.ts';
import { type OpenedReport, readReport } from './read-report.ts';
import type { ReportContext, ReportQuestion } from './report.ts';
import { requireLabels } from './report-labels.ts';
import type { ReportThread } from './report-thread.ts';

/** Maximum number of connections that reports take from the pool of the pages. History takes up to 4; other calls use the rest. */
const QUERIES_AT_ONCE = 2;
/**
 * Maximum numbers of reports on the screen: made at the same time in this process, made at the same time for one account, and waiting
 * for one account.
 */
const SCREENS = 4;
const SCREENS_OF_ACCOUNT = 2;
const SCREENS_WAITING = 10;
/** Maximum number of report files that are made at the same time for one organization. */
const FILES_AT_ONCE = 3;
const STALL_MS = 60_000;

type Call = {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

type ReportingParts = {
  readonly pool: Pool;
  readonly reportThread: ReportThread;
  readonly now: () => number;
  /** Returns the units of a stream's custom signals, by signal name. */
  readonly unitsOf: (streamId: number) => Promise<ReportContext['units']>;
};

/**
 * Serves reports on the screen and as files (14.3, 14.4).
 * @param now ms
 */
export const reports: Module<Caller, ReportingParts> = {
  topics: {
    report: { title: 'Rapporten', about: 'Cijfers van projecten en machines, op het scherm en als bestand.' },
  },
  routes: (serve, { pool, reportThread: files, unitsOf, now }) => {
    const db = limitConcurrency(pool, QUERIES_AT_ONCE);
    const screens = openFairQueue(SCREENS, SCREENS_OF_ACCOUNT, SCREENS_WAITING);
    const slots = openFileSlots(FILES_AT_ONCE);
    const pathViews = openPathViewAudit(pool);

    /** Returns the stream id of a machine; undefined if the caller has no such machine (the report then answers 404). */
    async function streamOf({ scope }: Caller, serial: string): Promise<number | undefined> {
      try {
        return (await findHistory(pool, scope, serial, ['machine'])).streamId;
      } catch (error) {
        if (error instanceof ProblemError) return undefined;
        throw error;
      }
    }
    async function unitsIn(
      { caller }: Call,
      { kind, machines: [serial] = [] }: ReportQuestion,
    ): Promise<ReportContext['units']> {
      if (kind !== 'metingen' || serial === undefined) return {};
      const streamId = await streamOf(caller, serial);
      return streamId === undefined ? {} : unitsOf(streamId);
    }
    async function named(
      { caller }: Call,
      { labels, ...question }: ReturnType<typeof parseReportQuestion>,
    ): Promise<ReportQuestion> {
      return labels ? { ...question, labels: await requireLabels(db, caller.scope, labels) } : question;
    }
    const madeBy = ({ caller }: Call, question: ReportQuestion): ReportMetadata => ({
      question,
      by: caller.name ?? caller.email,
      organization: caller.organizationName,
      at: now(),
      version: VERSION,
    });
    /** Records in the audit log who reads the route of a machine in a report (13.9, 13.12). */
    async function noteRoute(call: Call, { kind, machines = [], settings }: ReportQuestion): Promise<void> {
      const isRoute = kind === 'route' || (kind === 'metingen' && hasPositionSignal(settings.signals));
      if (!isRoute) return;
      for (const serial of machines) {
        const streamId = await streamOf(call.caller, serial);
        if (streamId !== undefined) await pathViews.note(call, streamId, reportRangeMs(settings));
      }
    }

    serve('GET /api/report/:kind', async (call) => {
      const question = await named(
        call,
        parseReportQuestion(call.params.kind, call.query, MAX_DAYS_ON_SCREEN),
      );
      return screens.run(queuedCallerOf(call), async () => {
        const metadata = madeBy(call, question);
        const units = await unitsIn(call, question);
        const isGone = () => call.reply.raw.destroyed;
        const report = await openReport(
          { db, scope: call.caller.scope, now: metadata.at, isGone, units },
          question,
        );
        await noteRoute(call, question);
        return screenOf(readReport(report, metadata)).catch((error) => {
          throw error instanceof ReaderDisconnectedError
            ? new ProblemError('too_slow', 'De aanvraag is afgebroken.')
            : error;
        });
      });
    });

    serve('GET /api/report/:kind/file', async (call) => {
      const { params, query, caller, request, reply } = call;
      if (!formatsOf(params.kind).includes(query.format))
        throw invalidInputError(
          query.format === 'gpx' ? 'Alleen een route is er als GPX.' : 'Alleen metingen zijn er als Parquet.',
        );
      const question = await named(call, parseReportQuestion(params.kind, query, MAX_DAYS_IN_FILE));
      const release = slots.take(caller.organizationId);
      const gone = new AbortController();
      try {
        const metadata = madeBy(call, question);
        const units = await unitsIn(call, question);
        const file = await files.file(
          { metadata, scope: caller.scope, units, format: query.format },
          gone.signal,
        );
        reply.raw.once('close', () => gone.abort());
        if (reply.raw.destroyed) gone.abort();
        if (request.method !== 'HEAD') {
          await noteRoute(call, question);
          const { from, to } = question.settings;
          const data = { report: params.kind, from, to, format: query.format };
          const { email: actor, organizationId } = caller;
          await audit(pool, { actor, action: 'report.export', subject: '', data, organizationId });
        }
        reply
          .header('content-type', file.contentType)
          .header('content-disposition', `attachment; filename="${file.name}"`);
        return await sendFile(request, reply, file.chunks, {
          stallMs: STALL_MS,
          onCut: (error) => request.log.error({ err: error }, 'A report was cut off'),
        });
      } finally {
        gone.abort();
        release();
      }
    });
  },
};

/** Limits how many files are made at the same time for one organization. A caller without a slot gets an error at once and may retry. */
function openFileSlots(most: number) {
  const taken = new Map<number, number>();
  return {
    /**
     * Takes a slot.
     * @returns a function that releases the slot
     * @throws ProblemError 429 if all slots are taken
     */
    take(organizationId: number): () => void {
      const count = taken.get(organizationId) ?? 0;
      if (count >= most)
        throw new ProblemError(
          'too_many_requests',
          `Er worden al ${most} rapporten voor deze organisatie gemaakt. Probeer het zo weer.`,
        );
      taken.set(organizationId, count + 1);
      return () => {
        const left = (taken.get(organizationId) ?? 1) - 1;
        if (left > 0) taken.set(organizationId, left);
        else taken.delete(organizationId);
      };
    },
  };
}

/** Returns the first rows and the totals of all rows. If no column is summed, the other rows are not read. */
async function screenOf(report: OpenedReport): Promise<ReportAnswer> {
  const rows: ReportAnswer['rows'] = [];
  let count = 0;
  for await (const portion of report.portions) {
    count += portion.length;
    for (const row of portion.slice(0, ROWS_ON_SCREEN - rows.length))
      rows.push(reportRowCells(report.columns, row));
    if (count > ROWS_ON_SCREEN && report.totals() === undefined) break;
  }
  return { ...headOfJson(report), rows, isCut: count > rows.length, ...footOfJson(report) };
}
