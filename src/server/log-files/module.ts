import type { IncomingMessage } from 'node:http';
import type { Caller } from '#server/auth/sessions.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { audit } from '#server/platform/audit.ts';
import { isDeadlock } from '#server/platform/database.ts';
import { openFairQueue, openStreamingQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import { attachmentDisposition, safeFileName } from '#server/platform/file-name.ts';
import type { Module, SharedServices, WithPeriodicTasks } from '#server/platform/module.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { sendFile } from '#server/platform/send-chunks.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { readEmptyLogs } from '#server/telemetry/empty-logs.store.ts';
import { removeLogsOverQuota } from '#server/telemetry/objects.store.ts';
import { WriteQueueUnavailable } from '#server/telemetry/write-queue.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import { emptyLogsText, MIN_EMPTY_LOGS } from '#shared/domain/attention.ts';
import { redecodeLogFile } from './decode-again.ts';
import { findLogFile, listLogFiles, readLogFile } from './log-files.store.ts';
import { sendQuotaMails } from './quota-mails.ts';
import { type LogUploadDependencies, uploadLog } from './upload-log.ts';

const STALL_MS = 60_000;
/** Limits uploads: each takes up to 128 MiB of disk while it arrives and waits to be decoded. */
const UPLOADS = { atOnce: 8, ofOne: 2, waitingOfOne: 4 };
const DOWNLOADS = { ofOne: 2, waitingOfOne: 8 };

type LogFileParts = LogUploadDependencies & { readonly pools: Pick<ConnectionPools, 'pages' | 'files'> };

type QuotaParts = SharedServices & { readonly mail: Mailer; readonly quotas: LogQuotas };

/** Serves the stored log files of a machine or LMB logger, in a Fastify scope of its own whose parser streams the body of an upload. */
export const logFiles: Module<Caller, LogFileParts> & WithPeriodicTasks<QuotaParts> = {
  ownScope: (app, serve, { pools: { pages, files }, ...parts }) => {
    const uploads = openFairQueue(UPLOADS.atOnce, UPLOADS.ofOne, UPLOADS.waitingOfOne);
    const downloads = openStreamingQueue(DOWNLOADS.ofOne, DOWNLOADS.waitingOfOne);
    app.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null, undefined));

    serve('GET /api/machine/empty-logs', async () => {
      const loggers = await readEmptyLogs(pages, MIN_EMPTY_LOGS);
      return loggers
        .filter(({ count }) => count >= MIN_EMPTY_LOGS)
        .map(({ serial, count }) => ({ serialNumber: serial, words: emptyLogsText(count) }));
    });

    serve('GET /api/machine/log-file/:serial', async ({ params, query }) => {
      const { id } = await findStreamRow(pages, params.serial);
      return listLogFiles(pages, id, query.most);
    });

    serve('GET /api/machine/log-file/:serial/:id', (call) =>
      downloads.run(queuedCallerOf(call), async () => {
        const { params, caller, request, reply } = call;
        const stream = await findStreamRow(files, params.serial);
        const { shown } = await findLogFile(files, stream.id, params.id);
        if (shown.isWithheld)
          throw new ProblemError('conflict', 'De metingen van dit bestand wachten in quarantaine.');
        if (request.method !== 'HEAD') {
          const data = { logger: shown.loggerSerial, file: shown.name };
          const about = { subject: stream.serial, streamId: stream.id, data };
          await audit(pages, { actor: caller.email, action: 'log-file.download', ...about });
        }
        reply
          .header('content-type', 'application/octet-stream')
          .header('content-length', shown.size)
          .header('x-content-type-options', 'nosniff')
          .header('content-disposition', attachmentDisposition(downloadName(shown.name)));
        return sendFile(request, reply, readLogFile(files, shown), {
          stallMs: STALL_MS,
          onCut: (error) => request.log.error({ err: error }, 'A log file was cut off'),
        });
      }),
    );

    serve('POST /api/machine/log-file/decode', ({ body, caller }) =>
      orUnavailable(redecodeLogFile(parts.telemetry, { ...body, actor: caller.email })),
    );

    serve('POST /api/machine/log-file/upload', (call) => {
      const { query, caller, request } = call;
      return uploads.run(queuedCallerOf(call), () =>
        orUnavailable(uploadLog(parts, { ...query, body: request.raw, actor: caller.email }), request.raw),
      );
    });
  },
  periodicWith: ({ pool, mail, quotas, publicUrl, now }) => [
    ['mails about log files', () => sendQuotaMails(pool, mail, quotas, publicUrl, now())],
    ['log files over the quota', (db) => removeLogsOverQuota(db, quotas)],
  ],
};

function downloadName(name: string): string {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1] ?? 'bin';
  return safeFileName(name, extension, 'logbestand');
}

/**
 * Answers 503 for errors that a retry may solve. That includes a deadlock, because the body of the request cannot be read a second
 * time.
 */
async function orUnavailable<T>(work: Promise<T>, body?: IncomingMessage): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    if (body?.destroyed && !body.complete) throw new ProblemError('too_slow', 'De aanvraag is afgebroken.');
    if (error instanceof WriteQueueUnavailable || error instanceof EndpointUnavailable || isDeadlock(error))
      throw new ProblemError('unavailable', 'Dit bestand kan nu niet worden verwerkt. Probeer het zo weer.');
    throw error;
  }
}
