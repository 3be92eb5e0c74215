import { z } from 'zod';
import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';
import type { Endpoint } from './endpoint.ts';

const serial = z.string().max(200);

/** The content of a log file, decoded by the data definition of its time. */
const LogSummary = z.object({
  /** ISO times of the first and the last record; null: no record has a usable time. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** CAN frames; of a CSV rows, of a GPX points. */
  frames: z.number(),
  /** Frames whose identifier has no definition, and how many identifiers these are (at most 1,000 are counted). */
  unknownFrames: z.number(),
  unknownIdentifiers: z.number(),
  /** How many signals the definition maps, how many of them had a value, and names of the others, at most 50. */
  mapped: z.number(),
  found: z.number(),
  missing: z.array(z.string()),
  /** Interfaces that the file names, and the bus that each is; absent where it names none. */
  buses: z
    .array(z.object({ name: z.string(), bus: z.number() }))
    .readonly()
    .optional(),
});
export type LogSummary = z.output<typeof LogSummary>;

const LogFile = z.object({
  id: z.string(),
  name: z.string(),
  /** The logger that delivered it, or under which a person's upload is kept. */
  loggerSerial: z.string(),
  /** Bytes. */
  size: z.number(),
  /** ISO time at which it came in. */
  at: z.string(),
  /** A person uploaded it. */
  isByHand: z.boolean(),
  /** null: it was not decoded. */
  summary: LogSummary.nullable(),
  /** How many readings the file brought, and why others, or all, are none; in Dutch. */
  result: z.string(),
  /** Whether the file can be decoded again: the portal reads its kind, and it is not withheld. */
  canDecode: z.boolean(),
  /** Its readings wait in quarantine, since they may be a former owner's: it is not handed out. */
  isWithheld: z.boolean(),
});
export type LogFile = z.output<typeof LogFile>;

const EmptyLogs = z.array(z.object({ serialNumber: z.string(), words: z.string() }));
/** Machines and LMB loggers whose logger's last ten log files gave no reading, with that in words. */
export type EmptyLogs = z.output<typeof EmptyLogs>;

const LogFiles = z.object({ files: z.array(LogFile), count: z.number() });
export type LogFiles = z.output<typeof LogFiles>;

/** The stored log files of the loggers of a machine or LMB logger. */
export const logFilesApi = {
  'GET /api/machine/empty-logs': {
    summary: 'The machines and LMB loggers whose logger gave no reading in its last ten log files.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    response: EmptyLogs,
  },
  'GET /api/machine/log-file/:serial': {
    summary:
      'The stored log files of a machine or LMB logger, of its present owner, newest first: at most `most` of `count`.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    query: z.object({ most: z.coerce.number().int().min(1).max(1_000).default(20) }),
    response: LogFiles,
  },
  'GET /api/machine/log-file/:serial/:id': {
    summary: 'A stored log file itself, without the secrets that an .rxd file holds.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    media: 'application/octet-stream',
    params: z.object({ serial, id: z.string().regex(/^\d{1,15}$/) }),
    response: z.unknown(),
  },
  'POST /api/machine/log-file/decode': {
    summary:
      'Decodes a stored log file again, by the data definitions of its time, and stores the readings that are missing.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({ serial, id: z.string().regex(/^\d{1,15}$/) }),
    response: LogFile,
  },
  'POST /api/machine/log-file/upload': {
    summary:
      "Stores and decodes a log file that a logger wrote on its SD card. The body is the file's bytes (application/octet-stream, at most 128 MiB).",
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    bodyLimit: MAX_LOG_BYTES,
    query: z.object({ serial, name: z.string().min(1).max(200) }),
    response: LogFile,
  },
} as const satisfies Record<string, Endpoint>;
