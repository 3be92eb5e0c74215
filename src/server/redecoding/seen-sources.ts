import type { Database } from '#server/platform/database.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { readLogFileBusReports } from '#server/telemetry/bus-reports.store.ts';
import { canIdText } from '#server/telemetry/decode/dbc/dbc.ts';
import type { BusReport, SelectedSource } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { SeenJ1939Sources } from '#shared/contract/definition.ts';

/** Returns the J1939 sources in the stored log files of a machine or LMB logger. @throws ProblemError 404 */
export async function readSeenJ1939Sources(db: Database, serial: string): Promise<SeenJ1939Sources> {
  const { id } = await findStreamRow(db, serial);
  return combineBusReports(await readLogFileBusReports(db, id));
}

/** Combines the reports of several log files. If two sources sent a signal, the source with the latest value counts. */
export function combineBusReports(reports: readonly BusReport[]): SeenJ1939Sources {
  const messages = new Map<string, { bus: number; identifier: string; sources: Map<number, number> }>();
  const absent = new Map<string, { notAvailable: number; errors: number }>();
  const selected = new Map<string, SelectedSource>();
  let dropped = 0;
  for (const report of reports) {
    dropped += report.dropped;
    for (const { bus, message, source, frames } of report.senders) {
      const identifier = canIdText(messageOf(message));
      const one = messages.get(`${bus} ${identifier}`) ?? { bus, identifier, sources: new Map() };
      one.sources.set(source, (one.sources.get(source) ?? 0) + frames);
      messages.set(`${bus} ${identifier}`, one);
    }
    for (const { name, notAvailable, errors } of report.absent) {
      const sum = absent.get(name) ?? { notAvailable: 0, errors: 0 };
      sum.notAvailable += notAvailable;
      sum.errors += errors;
      absent.set(name, sum);
    }
    for (const one of report.held) {
      const known = selected.get(one.name);
      if (known === undefined || known.at < one.at) selected.set(one.name, one);
    }
  }
  return {
    files: reports.length,
    messages: [...messages.values()].map(({ sources, ...message }) => ({
      ...message,
      sources: [...sources]
        .map(([source, frames]) => ({ source, frames }))
        .sort((a, b) => a.source - b.source),
    })),
    absent: [...absent].map(([name, counts]) => ({ name, ...counts })),
    held: [...selected.values()].map(({ name, source }) => ({ name, source })),
    dropped,
  };
}

/** Returns the message of a key; the inverse of `messageKey`. */
const messageOf = (key: number): { id: number; extended: boolean } =>
  key >= 0x8000_0000 ? { id: key - 0x8000_0000, extended: true } : { id: key, extended: false };
