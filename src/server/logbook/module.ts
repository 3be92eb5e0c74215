import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { CSV_BYTE_ORDER_MARK, csvRow, textCell } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/database.ts';
import { openStreamingQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module, WithPeriodicTasks } from '#server/platform/module.ts';
import { sendFile } from '#server/platform/send-chunks.ts';
import type { LogEntry, LogFilter } from '#shared/contract/log.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { actionText, logEntryLines, logEntryLineText, personText } from '#shared/domain/log-text.ts';
import { expireAuditLog, readAuditLog } from './logbook.store.ts';

/** Rows of a page on the screen. */
const PAGE = 50;
/** Rows of the CSV file that one query reads; no database connection is held between two queries. */
const FILE_PAGE = 1_000;
/** Per account, the maximum number of CSV files that are sent at the same time, and of requests that wait to be served. */
const FILES = 1;
const FILES_WAITING = 3;
const STALL_MS = 60_000;

/** Registers the calls of the log (13.9): callers with 'see-log' read the rows of the organizations in their scope. */
export const logbook: Module<Caller> & WithPeriodicTasks<{ readonly config: { readonly LOG_DAYS: number } }> =
  {
    topics: {
      log: { title: 'Logboek', about: 'Wie wat deed waarmee, vanaf waar.' },
    },
    routes: (serve, { pool }) => {
      const queue = openStreamingQueue(FILES, FILES_WAITING);

      serve('GET /api/log', async ({ caller, query: { after, ...filter } }) => {
        const entries = await readAuditLog(pool, caller.scope, filter, after, PAGE);
        return { entries, isEnd: entries.length < PAGE };
      });

      serve('GET /api/log/csv', (call) =>
        queue.run(queuedCallerOf(call), async () => {
          const { caller, query: filter, request, reply } = call;
          const first = await readAuditLog(pool, caller.scope, filter, undefined, FILE_PAGE);
          if (request.method !== 'HEAD') {
            const asked = Object.fromEntries(
              Object.entries(filter).filter(([, value]) => value !== undefined),
            );
            const data = Object.keys(asked).length > 0 ? { filter: asked } : {};
            const { email: actor, organizationId } = caller;
            await audit(pool, { actor, action: 'log.export', subject: '', data, organizationId });
          }
          const name = `logboek-${amsterdamDay(Date.now())}.csv`;
          reply
            .header('content-type', 'text/csv; charset=utf-8')
            .header('content-disposition', `attachment; filename="${name}"`);
          return sendFile(request, reply, chunksOf(pool, caller.scope, filter, first), {
            stallMs: STALL_MS,
            onCut: (error) => request.log.error({ err: error }, 'The log file was cut off'),
          });
        }),
      );
    },
    periodicWith: ({ config }) => [['old rows of the log', expireAuditLog(config.LOG_DAYS)]],
  };

/** Yields the CSV file in chunks, newest row first. Rows that are written after the first page was read are not included. */
async function* chunksOf(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  first: readonly LogEntry[],
): AsyncGenerator<Buffer, void> {
  yield Buffer.from(CSV_HEAD + csvOf(first));
  let page = first;
  while (page.length === FILE_PAGE) {
    page = await readAuditLog(db, scope, filter, page.at(-1)?.cursor, FILE_PAGE);
    if (page.length > 0) yield Buffer.from(csvOf(page));
  }
}

const row = (cells: readonly string[]): string => csvRow(cells.map(textCell));

const HEAD = [
  'Wanneer',
  'Wie',
  'Adres',
  'Apparaat',
  'Wat',
  'Waarop',
  'Wie betreft het',
  'Organisatie',
  'Gegevens',
];

/** First row of the file, for Excel with Dutch settings: a byte order mark for UTF-8, semicolons, Amsterdam's time. */
const CSV_HEAD = `${CSV_BYTE_ORDER_MARK}${row(HEAD)}`;

const csvOf = (entries: readonly LogEntry[]): string =>
  entries
    .map((entry) =>
      row([
        wallClockOf(Date.parse(entry.at)),
        personText(entry.who),
        entry.address,
        entry.device,
        actionText(entry.action),
        entry.subject,
        entry.account ? personText(entry.account) : '',
        entry.organization ?? '',
        logEntryLines(entry).map(logEntryLineText).join('; '),
      ]),
    )
    .join('');
