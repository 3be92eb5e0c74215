import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { openStreamingQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import { attachmentDisposition, safeFileName } from '#server/platform/file-name.ts';
import type { Module } from '#server/platform/module.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import { sendFile } from '#server/platform/send-chunks.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { readStoredFileChunks } from '#server/telemetry/readings/closed-week-file.ts';
import { CONTENT_TYPES } from '#shared/domain/reports/kinds.ts';
import { plusDays } from '#shared/domain/reports/settings.ts';
import { findClosedWeek, listClosedWeeks } from './closed-weeks.ts';

const STALL_MS = 60_000;
const DOWNLOADS = { ofOne: 2, waitingOfOne: 8 };

/**
 * Serves the closed weeks of a machine or LMB logger as Parquet files: the stored file as it is, or a file that the report thread
 * makes from all readings of that week and owner.
 */
export const closedWeeks: Module<
  Caller,
  { readonly pools: Pick<ConnectionPools, 'pages' | 'files'>; readonly reportThread: ReportThread }
> = {
  routes: (serve, { pools: { pages, files }, reportThread }) => {
    const downloads = openStreamingQueue(DOWNLOADS.ofOne, DOWNLOADS.waitingOfOne);

    serve('GET /api/machine/closed-week/:serial', async ({ params }) => {
      const { id } = await findStreamRow(pages, params.serial);
      return { weeks: await listClosedWeeks(pages, id) };
    });

    serve('GET /api/machine/closed-week/:serial/:monday', (call) =>
      downloads.run(queuedCallerOf(call), async () => {
        const { params, query, caller, request, reply } = call;
        const { monday } = params;
        const { id, serial } = await findStreamRow(files, params.serial);
        const week = await findClosedWeek(files, id, monday, query.organization);
        const { organizationId, organization } = week.owner;
        if (request.method !== 'HEAD')
          await audit(pages, {
            actor: caller.email,
            action: 'closed-week.download',
            subject: serial,
            streamId: id,
            organizationId,
            data: { from: monday, to: plusDays(monday, 6) },
          });
        const name = ['metingen', serial, ...(week.isPart ? [organization] : []), monday].join('-');
        reply
          .header('content-type', CONTENT_TYPES.parquet)
          .header('x-content-type-options', 'nosniff')
          .header('content-disposition', attachmentDisposition(safeFileName(name, 'parquet', 'metingen')));
        if (week.file) reply.header('content-length', week.file.bytes);
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        if (reply.raw.destroyed) gone.abort();
        const chunks = week.file
          ? readStoredFileChunks(files, week.file)
          : (await reportThread.file({ week: { streamId: id, ranges: week.ranges } }, gone.signal)).chunks;
        try {
          return await sendFile(request, reply, chunks, {
            stallMs: STALL_MS,
            onCut: (error) => request.log.error({ err: error }, 'A closed week was cut off'),
          });
        } finally {
          gone.abort();
        }
      }),
    );
  },
};
