import { z } from 'zod';
import { LOGGER_KINDS } from '#shared/domain/identifiers.ts';
import type { Endpoint } from './endpoint.ts';

/** A machine's serial number or an LMB logger's loggerid (docs/design.md section 4). */
const serial = z.string().max(200);
const Serial = z.object({ serial });
const Done = z.object({ message: z.string() });
const LoggerKind = z.enum(LOGGER_KINDS);
/** Which serial number `influx_serial` is: of a ReXgen, or the device id of a CANedge. */
const logger_kind = LoggerKind.default('rexgen');

/** Mobile network or Wi-Fi of one logger; what is absent comes from the LOGGER_* settings. */
const Network = z.object({
  kind: z.enum(['mobile', 'wifi']),
  /** Stored, never shown again: hasSimPin and hasWifiPassword tell that there is one. */
  hasSimPin: z.boolean(),
  apn: z.string(),
  wifiSsid: z.string(),
  hasWifiPassword: z.boolean(),
});

/** A secret that is absent stays as it was; '' removes it. */
const NetworkChange = z.object({
  kind: z.enum(['mobile', 'wifi']),
  simPin: z.string().max(8).optional(),
  apn: z.string().max(100).optional(),
  wifiSsid: z.string().max(32).optional(),
  wifiPassword: z.string().max(63).optional(),
});
export type NetworkChange = z.output<typeof NetworkChange>;

/** The DBC file, which of its signals are ours, and the network of the logger. */
const MissingStep = z.enum(['dbc', 'signals', 'network']);
export type MissingStep = z.output<typeof MissingStep>;

/** Of a logger's last Status.json; null: it did not say. */
const ToldStatus = z.object({
  /** ISO time. */
  receivedAt: z.string(),
  firmware: z.string().nullable(),
  configName: z.string().nullable(),
  freeMb: z.number().nullable(),
  totalMb: z.number().nullable(),
  /** Its own clock against ours when we had it, seconds; negative: it is behind. */
  clockAheadS: z.number().nullable(),
});
export type ToldStatus = z.output<typeof ToldStatus>;

const LoggerEvent = z.object({
  /** ISO time. */
  at: z.string(),
  kind: z.enum([
    'bound',
    'key-made',
    'key-used',
    'key-ended',
    'config-made',
    'config-downloaded',
    'config-running',
    'config-another',
    'heard',
    'error',
    'refused',
    'firmware',
    'frozen-clock',
    'log-file',
    'unread-file',
    'deleted',
    'restored',
    'released',
    'taken-back',
  ]),
  /** A serial number, key, name, file, reason, S3 code or number of seconds without an upload: `kind` decides. */
  detail: z.string(),
});
export type LoggerEvent = z.output<typeof LoggerEvent>;

/** Readings of before the logger's present binding, which an administrator may take over. */
const HeldReadings = z.object({
  /** ISO times of the first and the last one. */
  from: z.string(),
  to: z.string(),
  readings: z.number(),
  /** The log file that they are in is kept no more. */
  isGone: z.boolean(),
  /** What the logger was on then, and whose that is now; empty: it was removed. */
  into: z.array(z.object({ serial: z.string(), organization: z.string(), isDeleted: z.boolean() })),
});
export type HeldReadings = z.output<typeof HeldReadings>;

/** A binding that ended and can be taken back. */
const FormerLogger = z.object({
  /** The binding's. */
  id: z.int32(),
  loggerSerial: z.string(),
  /** ISO times: when it ended, and until when it can be taken back. */
  endedAt: z.string(),
  until: z.string(),
  /** Why it cannot be taken back now, in Dutch: the logger reports for something else. */
  obstacle: z.string().optional(),
});
export type FormerLogger = z.output<typeof FormerLogger>;

const LoggerHealth = z.object({
  /** Serial number of the ReXgen, or device id of the CANedge; '' when none is bound. */
  loggerId: z.string(),
  /** Kind of the bound logger; 'rexgen' without one. */
  kind: LoggerKind,
  /** The logger that was named when the machine was made, as long as none was ever bound; '' otherwise. */
  plannedLogger: z.string(),
  /** Released or replaced in the last 30 days, newest first. */
  formerLoggers: z.array(FormerLogger),
  /** ISO times, null: never. lastUpload: an upload was accepted; lastErrorAt: an accepted one could not be used. */
  lastUpload: z.string().nullable(),
  lastError: z.string().nullable(),
  lastErrorAt: z.string().nullable(),
  /** The upload that was refused last, 'code: key' with the code of S3; null: none was. */
  lastRefusal: z.string().nullable(),
  lastRefusedAt: z.string().nullable(),
  /** Name to count, see telemetry/counters.ts. */
  counters: z.record(z.string(), z.number()),
  /** Newest first, the last 100: deliveries that could not become history. */
  quarantine: z.array(
    z.object({
      id: z.number(),
      key: z.string(),
      receivedAt: z.string(),
      reason: z.string(),
      size: z.number(),
      held: HeldReadings.nullable(),
    }),
  ),
  /** null: none came yet. */
  status: ToldStatus.nullable(),
  /** Newest first, the last 50 since it was bound. */
  events: z.array(LoggerEvent),
  /** Running hours are lost: it reports its motor every 5 to 6 minutes (docs/figures.md section 12). */
  intervalTooLong: z.boolean(),
  /**
   * ISO time; null: its key was made for the present owner. The machine was sold: until the logger uses a new key, what it sends from
   * then on is quarantined.
   */
  replaceKeyBy: z.string().nullable(),
  /** The quotas of log files that are nearly used, of the logger today and of its organization, in Dutch. */
  quotaNotices: z.array(z.string()),
  config: z.object({
    /** ISO times; null: not yet. */
    createdAt: z.string().nullable(),
    downloadedAt: z.string().nullable(),
    /** Since when the logger reports that this very configuration runs. */
    runningSince: z.string().nullable(),
    /** The logger reports another configuration than the newest. */
    runsAnother: z.boolean(),
    /** A new key, a changed definition, network or setting of the portal waits for a new configuration. */
    outdated: z.boolean(),
    /** The address of the portal that the newest one has, where that is another one now. */
    oldAddress: z.string().nullable(),
  }),
  network: Network,
  /** Which steps of the creation chain are done. */
  chain: z.object({ writer: z.boolean(), config: z.boolean() }),
  /** What is missing for a configuration, in Dutch; empty: it can be made. */
  missing: z.array(z.string()),
  /** Where a person does what is missing, in order. */
  missingSteps: z.array(MissingStep),
});
export type LoggerHealth = z.output<typeof LoggerHealth>;

/** A machine or LMB logger, for a link; `organization` is its functional name. */
const NamedMachine = z.object({
  kind: z.enum(['machine', 'logger']),
  serial: z.string(),
  alias: z.string(),
  organization: z.string(),
  isDeleted: z.boolean(),
});
export type NamedMachine = z.output<typeof NamedMachine>;

/** A logger that uploads to a former address of the portal, PUBLIC_URL as it was, and what it reports for. */
const OldAddress = NamedMachine.omit({ isDeleted: true }).extend({
  /** Display name of the organization. */
  cleanorg: z.string(),
  loggerId: z.string(),
  address: z.string(),
});
export type OldAddress = z.output<typeof OldAddress>;

const UnknownKey = z.object({
  accessKey: z.string(),
  /** ISO times. */
  firstSeen: z.string(),
  lastSeen: z.string(),
  count: z.number(),
  /** Folder of the last upload, without the bucket, as the sender named it; '' when no request named an object. */
  folder: z.string(),
  /** The logger's serial number that the folder names, '' when it names none. */
  loggerId: z.string(),
  /** The machine that this logger reports for now. */
  reportsFor: NamedMachine.nullable(),
  /** The logger whose key it was, for which machine, and since when it is refused (ISO time); null: it never was a logger's. */
  former: z.object({ loggerId: z.string(), machine: NamedMachine, endedAt: z.string() }).nullable(),
});
export type UnknownKey = z.output<typeof UnknownKey>;

/** API-01, Machines: writer and configuration; for LMB loggers too. */
export const writersApi = {
  'GET /api/machine/writer/create': {
    summary:
      'Binds a logger to a machine or LMB logger, the second step of three, with the definition of a reference machine. Safe to repeat.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    query: z.object({
      bedrijf: serial.optional(),
      serienummer: serial,
      influxserienummer: serial,
      dbcserienummer: serial.optional(),
      logger_kind,
    }),
    response: Done,
  },
  'POST /api/machine/writer/move': {
    summary:
      'Binds a logger that reports for another machine or LMB logger, `from`: it reports for this one from now on. 409 when it is elsewhere by now.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: Serial.extend({ influx_serial: serial, from: serial, logger_kind }),
    response: Done,
  },
  'POST /api/machine/writer/replace': {
    summary:
      'Another logger in place of the present one, `replaces`, whose keys are refused from then on. `from`: what it may be taken from. 409 when another logger is bound by now, or when it reports for something else than `from`.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: Serial.extend({ influx_serial: serial, replaces: serial, from: serial.optional(), logger_kind }),
    response: Done,
  },
  'POST /api/machine/writer/take-back': {
    summary:
      'Binds a logger again that was released or replaced in the last 30 days, with the keys that it had; `id` is of formerLoggers. The present logger is released.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: Serial.extend({ id: z.int32() }),
    response: Done,
  },
  'POST /api/machine/writer/release': {
    summary:
      'Ends the binding of the logger; its keys are refused from then on. With `influx_serial`, 409 when another one is bound by now.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: Serial.extend({ influx_serial: serial.optional() }),
    response: Done,
  },
  'POST /api/machine/writer/key': {
    summary:
      'A new key for the logger; the old one keeps working until the first upload with the new one, or with `withdraw` not a moment longer.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: Serial.extend({ withdraw: z.boolean().optional() }),
    response: Done,
  },
  'POST /api/machine/writer/take-over': {
    summary:
      'Stores the readings that are held of a delivery in quarantine, each in what the logger was on at its time. Safe to repeat until it succeeds; 404 once it did.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: Serial.extend({ id: z.int() }),
    response: Done,
  },
  'GET /api/machine/writer/health/:serial': {
    summary:
      "The logger's health: last upload, last error, counters, its Status.json, its last events, and whether its configuration runs.",
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: Serial,
    response: LoggerHealth,
  },
  'GET /api/machine/writer/unknown': {
    summary:
      'Keys that loggers signed with and that are refused, newest first: the folder that they wanted to write to, the logger that it names, and whose key it was.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    response: z.array(UnknownKey),
  },
  'GET /api/machine/writer/keys-to-replace': {
    summary:
      'Machines that were sold and whose logger still has a key that the former owner may know, the most urgent first.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    response: z.array(
      z.object({
        serial: z.string(),
        alias: z.string(),
        organization: z.string(),
        loggerId: z.string(),
        /** ISO time. */
        replaceBy: z.string(),
      }),
    ),
  },
  'GET /api/machine/writer/old-addresses': {
    summary:
      'Loggers whose configuration has a former address of the portal: the one that runs, as the logger says, else the newest.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    response: z.array(OldAddress),
  },
  'POST /api/machine/writer/network': {
    summary:
      'How the logger reaches the portal. A secret that is absent stays as it was; an empty one is removed.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: Serial.extend(NetworkChange.shape),
    response: Network,
  },
  'GET /api/machine/config/create': {
    summary:
      'Makes config.xml with a new GUID, the third step of three; of a CANedge the S3 section of its configuration. 409 with what is missing, in words, when it cannot be made.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    query: z.object({ bedrijf: serial.optional(), serienummer: serial, dbcserienummer: serial.optional() }),
    response: Done,
  },
  'GET /api/machine/config/download': {
    summary:
      'config.xml as it was made last, or the JSON of a CANedge; it holds secrets. 404 when it was not made yet.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    media: ['application/xml', 'application/json'],
    query: z.object({ serienummer: serial }),
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
