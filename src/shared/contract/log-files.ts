import { z } from 'zod';
import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';
import { DeliveryFindings } from './delivery-findings.ts';
import type { Endpoints } from './endpoint.ts';

const serial = z.string().max(200);

/** The content of a log file, as the portal decoded it by the data definition that was in force at that time. */
const LogSummary = z.object({
  /** ISO times of the first and the last record; null: no record has a usable time. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Number of CAN frames; in a CSV file rows, in a GPX file points. */
  frames: z.number(),
  /** Number of frames whose identifier has no definition, and number of those identifiers (at most 1,000). */
  unknownFrames: z.number(),
  unknownIdentifiers: z.number(),
  /**
   * Number of signals that the definition maps, number of mapped signals that had a value, and the names of at
   * most 50 mapped signals without a value.
   */
  mapped: z.number(),
  found: z.number(),
  missing: z.array(z.string()),
  /** The interfaces in the file and the CAN bus of each; absent when the file names no interface. */
  buses: z
    .array(z.object({ name: z.string(), bus: z.number() }))
    .readonly()
    .optional(),
});
export type LogSummary = z.output<typeof LogSummary>;

const LogFile = z.object({
  id: z.string(),
  name: z.string(),
  /** The logger that delivered the file, or under which a person's upload is stored. */
  loggerSerial: z.string(),
  /** Bytes. */
  size: z.number(),
  /** ISO time of reception. */
  at: z.string(),
  /** Uploaded by a person, not by a logger. */
  isByHand: z.boolean(),
  /** null: the file was not decoded. */
  summary: LogSummary.nullable(),
  /** How many readings the file contained, and why records were not usable; in Dutch. */
  result: z.string(),
  /** The facts that `result` describes, as data: the kind and the figures of each. */
  findings: DeliveryFindings,
  /** Whether the file can be decoded again: its format is supported, and it is not withheld. */
  canDecode: z.boolean(),
  /** The readings of the file are quarantined because they may be a former owner's: the file cannot be downloaded. */
  isWithheld: z.boolean(),
});
export type LogFile = z.output<typeof LogFile>;

const EmptyLogs = z.array(z.object({ serialNumber: z.string(), words: z.string() }));
/** Machines and LMB loggers whose logger's last ten log files contained no reading; `words`: the Dutch text about it. */
export type EmptyLogs = z.output<typeof EmptyLogs>;

const LogFiles = z.object({ files: z.array(LogFile), count: z.number() });
export type LogFiles = z.output<typeof LogFiles>;

/** The stored log files of the loggers of a machine or LMB logger. */
export const logFilesApi = {
  'GET /api/machine/empty-logs': {
    summary: 'Lists the machines and LMB loggers whose last ten log files contained no reading.',
    dutch:
      'De machines en LMB-loggers waarvan de laatste tien logbestanden van de logger geen meting opleverden.',
    needs: 'manage-machines',
    response: EmptyLogs,
  },
  'GET /api/machine/log-file/:serial': {
    summary:
      "Lists the stored log files of a machine or LMB logger from its present owner's time, newest first: at most `most` of `count`.",
    dutch:
      'De bewaarde logbestanden van een machine of LMB-logger, van de huidige eigenaar, de nieuwste eerst: hoogstens most van count.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    query: z.object({ most: z.coerce.number().int().min(1).max(1_000).default(20) }),
    response: LogFiles,
  },
  'GET /api/machine/log-file/:serial/:id': {
    summary: 'Downloads a stored log file; from an .rxd file the secrets are removed.',
    dutch: 'Een bewaard logbestand zelf, zonder de geheimen die in een .rxd-bestand staan.',
    needs: 'manage-machines',
    media: 'application/octet-stream',
    params: z.object({ serial, id: z.string().regex(/^\d{1,15}$/) }),
    response: z.unknown(),
  },
  'POST /api/machine/log-file/decode': {
    summary:
      'Decodes a stored log file again, with the data definitions of its time, and stores the missing readings.',
    dutch:
      'Decodeert een bewaard logbestand opnieuw, met de datadefinities van toen, en slaat de metingen op die er nog niet waren.',
    needs: 'manage-machines',
    body: z.object({ serial, id: z.string().regex(/^\d{1,15}$/) }),
    response: LogFile,
  },
  'POST /api/machine/log-file/upload': {
    summary:
      "Stores and decodes a log file that a logger wrote on its SD card. The body is the file's bytes (application/octet-stream, at most 128 MiB).",
    dutch:
      'Bewaart en decodeert een logbestand van een SD-kaart. De body is het bestand zelf (application/octet-stream, hoogstens 128 MB).',
    needs: 'manage-machines',
    bodyLimit: MAX_LOG_BYTES,
    query: z.object({ serial, name: z.string().min(1).max(200) }),
    response: LogFile,
  },
} as const satisfies Endpoints;
