import { z } from 'zod';
import { LOGGER_KINDS } from '#shared/domain/identifiers.ts';
import { DeliveryFindings } from './delivery-findings.ts';
import type { Endpoints } from './endpoint.ts';

/** A machine's serial number or an LMB logger's loggerid (docs/design.md section 4). */
const serial = z.string().max(200);
const Serial = z.object({ serial });
const LoggerKind = z.enum(LOGGER_KINDS);
/** Kind of the logger with number `influx_serial`: the serial number of a ReXgen, or the device id of a CANedge. */
const logger_kind = LoggerKind.default('rexgen');

/** Mobile network or Wi-Fi of one logger; the LOGGER_* settings supply empty fields. */
const Network = z.object({
  kind: z.enum(['mobile', 'wifi']),
  /** Secrets are never shown again; hasSimPin and hasWifiPassword show whether one is stored. */
  hasSimPin: z.boolean(),
  apn: z.string(),
  wifiSsid: z.string(),
  hasWifiPassword: z.boolean(),
});
export type Network = z.output<typeof Network>;

/** An absent secret stays as it was; '' removes it. */
const NetworkChange = z.object({
  kind: z.enum(['mobile', 'wifi']),
  simPin: z.string().max(8).optional(),
  apn: z.string().max(100).optional(),
  wifiSsid: z.string().max(32).optional(),
  wifiPassword: z.string().max(63).optional(),
});
export type NetworkChange = z.output<typeof NetworkChange>;

/** A step without which no configuration can be made: the DBC file, the mapping of its signals, or the logger's network. */
const MissingStep = z.enum(['dbc', 'signals', 'network']);
export type MissingStep = z.output<typeof MissingStep>;

/** The content of a logger's last Status.json; a field is null if the file did not contain it. */
const ReportedStatus = z.object({
  /** ISO time. */
  receivedAt: z.string(),
  firmware: z.string().nullable(),
  configName: z.string().nullable(),
  freeMb: z.number().nullable(),
  totalMb: z.number().nullable(),
  /** Difference of the logger's clock from the server's at reception, seconds; negative: the logger is behind. */
  clockAheadS: z.number().nullable(),
});
export type ReportedStatus = z.output<typeof ReportedStatus>;

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

/** Quarantined readings from before the logger's present binding, which an administrator may accept. */
const QuarantinedReadings = z.object({
  /** ISO times of the first and the last of these readings. */
  from: z.string(),
  to: z.string(),
  readings: z.number(),
  /** The log file with these readings was deleted. */
  isGone: z.boolean(),
  /**
   * The machine or LMB logger for which the logger reported at the time, and its present organization; empty:
   * the machine or LMB logger was removed.
   */
  into: z.array(z.object({ serial: z.string(), organization: z.string(), isDeleted: z.boolean() })),
});
export type QuarantinedReadings = z.output<typeof QuarantinedReadings>;

/** A binding that ended and can be restored. */
const FormerLogger = z.object({
  /** Id of the binding. */
  id: z.int32(),
  loggerSerial: z.string(),
  /** ISO times: when the binding ended, and until when it can be restored. */
  endedAt: z.string(),
  until: z.string(),
  /** Why the binding cannot be restored now, in Dutch: the logger reports for another machine or LMB logger. */
  obstacle: z.string().optional(),
});
export type FormerLogger = z.output<typeof FormerLogger>;

const LoggerHealth = z.object({
  /** Serial number of the ReXgen, or device id of the CANedge; '' when none is bound. */
  loggerId: z.string(),
  /** Kind of the bound logger; 'rexgen' when none is bound. */
  kind: LoggerKind,
  /** The logger that was entered when the machine was created, as long as none was ever bound; '' otherwise. */
  plannedLogger: z.string(),
  /** Loggers that were released or replaced in the last 30 days, newest first. */
  formerLoggers: z.array(FormerLogger),
  /**
   * ISO times; null: never. lastUpload: when an upload was last accepted. lastErrorAt: when the portal last accepted
   * an upload that it could not use.
   */
  lastUpload: z.string().nullable(),
  lastError: z.string().nullable(),
  /** The facts that `lastError` describes, as data: the kind and the figures of each; empty: no error yet. */
  lastErrorFindings: DeliveryFindings,
  lastErrorAt: z.string().nullable(),
  /** The last refused upload, 'code: key' with S3's error code; null: none was refused. */
  lastRefusal: z.string().nullable(),
  lastRefusedAt: z.string().nullable(),
  /** Counts by name (telemetry/counters.ts). */
  counters: z.record(z.string(), z.number()),
  /** The last 100 uploads whose readings could not be stored in the history, newest first. */
  quarantine: z.array(
    z.object({
      id: z.number(),
      key: z.string(),
      receivedAt: z.string(),
      /** In Dutch. */
      reason: z.string(),
      /** The facts that `reason` describes, as data: the kind and the figures of each. */
      findings: DeliveryFindings,
      size: z.number(),
      held: QuarantinedReadings.nullable(),
    }),
  ),
  /** null: no Status.json was received yet. */
  status: ReportedStatus.nullable(),
  /** The last 50 events since the logger was bound, newest first. */
  events: z.array(LoggerEvent),
  /** The logger reports MotorSpeed every 5 to 6 minutes, so that running hours are lost (docs/figures.md section 12). */
  intervalTooLong: z.boolean(),
  /**
   * null: the logger's key was made for the present owner. Otherwise the machine was sold, and readings that the logger sends with the
   * former owner's key after this ISO time are quarantined.
   */
  replaceKeyBy: z.string().nullable(),
  /** Dutch notices about log file quotas that are nearly used: the logger's of today, and its organization's. */
  quotaNotices: z.array(z.string()),
  config: z.object({
    /** ISO times; null: not yet. */
    createdAt: z.string().nullable(),
    downloadedAt: z.string().nullable(),
    /** Since when the logger reports that it runs this configuration. */
    runningSince: z.string().nullable(),
    /** The logger reports another configuration than the newest. */
    runsAnother: z.boolean(),
    /** A key, data definition, network or portal setting changed, so that a new configuration must be made. */
    outdated: z.boolean(),
    /** The portal address in the newest configuration, when the portal has another address now. */
    oldAddress: z.string().nullable(),
  }),
  network: Network,
  /** Whether each step of the creation chain is completed. */
  chain: z.object({ writer: z.boolean(), config: z.boolean() }),
  /** Dutch texts about what is missing for a configuration; empty: a configuration can be made. */
  missing: z.array(z.string()),
  /** The steps of the creation chain that are still to be done, in order. */
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

/** A logger that uploads to a former address of the portal (an earlier PUBLIC_URL), and the machine or LMB logger that it reports for. */
const OldAddress = NamedMachine.omit({ isDeleted: true }).extend({
  /** Display name of the organization. */
  cleanorg: z.string(),
  loggerId: z.string(),
  address: z.string(),
});
export type OutdatedLoggerAddress = z.output<typeof OldAddress>;

const UnknownKey = z.object({
  accessKey: z.string(),
  /** ISO times. */
  firstSeen: z.string(),
  lastSeen: z.string(),
  count: z.number(),
  /** Folder of the last upload, without the bucket; '' when no request named an object. */
  folder: z.string(),
  /** The logger's serial number in the folder's name; '' if the name contains none. */
  loggerId: z.string(),
  /** The machine that this logger reports for now. */
  reportsFor: NamedMachine.nullable(),
  /**
   * The logger that had this key, its machine then, and since when the key is refused (ISO time); null: no
   * logger ever had the key.
   */
  former: z.object({ loggerId: z.string(), machine: NamedMachine, endedAt: z.string() }).nullable(),
});
export type UnknownKey = z.output<typeof UnknownKey>;

/** Calls about the writer and the configuration of a machine or LMB logger (API-01). */
export const writersApi = {
  'GET /api/machine/writer/create': {
    summary:
      'Binds a logger to a machine or LMB logger and copies the definition of a reference machine: the second step of three. Safe to repeat.',
    dutch:
      'Koppelt een logger aan een machine of LMB-logger, met de datadefinitie van een vergelijkbare machine: de tweede stap van drie. Mag herhaald worden.',
    needs: 'manage-machines',
    changes: true,
    query: z.object({
      bedrijf: serial.optional(),
      serienummer: serial,
      influxserienummer: serial,
      dbcserienummer: serial.optional(),
      logger_kind,
    }),
  },
  'POST /api/machine/writer/move': {
    summary:
      'Moves a logger from another machine or LMB logger, `from`, to this one. Answers 409 when the logger no longer reports for `from`.',
    dutch:
      'Koppelt een logger die voor een andere machine of LMB-logger meet (from): vanaf nu meet hij voor deze. 409 als hij intussen ergens anders hoort.',
    needs: 'manage-machines',
    proof: true,
    body: Serial.extend({ influx_serial: serial, from: serial, logger_kind }),
  },
  'POST /api/machine/writer/replace': {
    summary:
      'Replaces the present logger, `replaces`, by another one; the keys of the replaced logger are refused from then on. `from`: the machine or LMB logger that the new logger reports for at present. Answers 409 when another logger than `replaces` is bound, or when the new logger reports for something else than `from`.',
    dutch:
      'Koppelt een andere logger in plaats van de huidige (replaces), waarvan de sleutels voortaan worden geweigerd. from: waar hij vandaan mag komen. 409 als er intussen een andere logger hoort.',
    needs: 'manage-machines',
    proof: true,
    body: Serial.extend({ influx_serial: serial, replaces: serial, from: serial.optional(), logger_kind }),
  },
  'POST /api/machine/writer/take-back': {
    summary:
      'Binds a logger again that was released or replaced in the last 30 days, with its former keys; `id` comes from formerLoggers. The present logger is released.',
    dutch:
      'Zet een koppeling terug die in de laatste 30 dagen eindigde (id uit formerLoggers), met de sleutels van toen. De huidige logger wordt losgekoppeld.',
    needs: 'manage-machines',
    proof: true,
    body: Serial.extend({ id: z.int32() }),
  },
  'POST /api/machine/writer/release': {
    summary:
      'Ends the binding of the logger; its keys are refused from then on. With `influx_serial`: answers 409 when another logger is bound.',
    dutch:
      'Ontkoppelt de logger; zijn sleutels worden voortaan geweigerd. Met influx_serial volgt 409 als er intussen een andere logger hoort.',
    needs: 'manage-machines',
    proof: true,
    body: Serial.extend({ influx_serial: serial.optional() }),
  },
  'POST /api/machine/writer/key': {
    summary:
      'Makes a new key for the logger. The old key works until the first upload with the new one; with `withdraw` it is refused at once.',
    dutch:
      'Geeft de logger een nieuwe sleutel. De oude werkt tot de eerste upload met de nieuwe, of met withdraw vanaf nu niet meer.',
    needs: 'manage-machines',
    proof: true,
    body: Serial.extend({ withdraw: z.boolean().optional() }),
  },
  'POST /api/machine/writer/take-over': {
    summary:
      'Accepts the readings of a quarantined delivery: stores each in the machine or LMB logger that the logger reported for at the time. Safe to repeat until it succeeds; answers 404 after that.',
    dutch:
      'Slaat de metingen van één levering in quarantaine op die van voor de koppeling zijn, bij de machine van toen. Mag herhaald worden tot het lukt.',
    needs: 'manage-machines',
    body: Serial.extend({ id: z.int() }),
  },
  'GET /api/machine/writer/health/:serial': {
    summary:
      "Returns the logger's health: last upload, last error, counters, Status.json, last events, and whether it runs its configuration.",
    dutch:
      'Hoe het met de logger gaat: laatste upload, laatste fout, tellers, zijn Status.json, gebeurtenissen, en of zijn configuratie draait.',
    needs: 'manage-machines',
    params: Serial,
    response: LoggerHealth,
  },
  'GET /api/machine/writer/unknown': {
    summary:
      'Lists refused keys with which loggers signed uploads, newest first: the folder of the upload, the logger in its name, and the logger that had the key.',
    dutch:
      'Sleutels waarmee loggers zich meldden en die worden geweigerd, de nieuwste eerst: de map waarin ze wilden schrijven, de logger die de map noemt, en van wie de sleutel was.',
    needs: 'manage-machines',
    response: z.array(UnknownKey),
  },
  'GET /api/machine/writer/keys-to-replace': {
    summary:
      'Lists the sold machines whose logger still has a key that the former owner may know, the most urgent first.',
    dutch:
      'Verkochte machines waarvan de logger nog een sleutel heeft die de vorige eigenaar kan kennen, de dringendste eerst.',
    needs: 'manage-machines',
    response: z.array(
      z.object({
        serial: z.string(),
        alias: z.string(),
        organization: z.string(),
        loggerId: z.string(),
        /** ISO time by which the key must be replaced. */
        replaceBy: z.string(),
      }),
    ),
  },
  'GET /api/machine/writer/old-addresses': {
    summary:
      'Lists the loggers whose configuration has a former address of the portal: the configuration that the logger says it runs, else the newest.',
    dutch:
      'Loggers waarvan de configuratie een oud adres van het portaal noemt: die draait, zoals de logger meldt, anders de nieuwste.',
    needs: 'manage-machines',
    response: z.array(OldAddress),
  },
  'POST /api/machine/writer/network': {
    summary:
      'Sets how the logger reaches the portal. An absent secret stays as it was; an empty one is removed.',
    dutch:
      'Hoe de logger het portaal bereikt. Een geheim dat ontbreekt blijft zoals het was; een leeg geheim wordt gewist.',
    needs: 'manage-machines',
    body: Serial.extend(NetworkChange.shape),
    response: Network,
  },
  'GET /api/machine/config/create': {
    summary:
      'Makes config.xml with a new GUID (for a CANedge the S3 section of its configuration): the third step of three. Answers 409 with a Dutch text about what is missing when it cannot be made.',
    dutch:
      'Maakt config.xml met een nieuwe GUID: de derde stap van drie. Kan dat niet, dan zegt 409 in woorden wat er ontbreekt.',
    needs: 'manage-machines',
    changes: true,
    query: z.object({ bedrijf: serial.optional(), serienummer: serial, dbcserienummer: serial.optional() }),
  },
  'GET /api/machine/config/download': {
    summary:
      'Downloads the newest config.xml, or the JSON of a CANedge; the file contains secrets. 404 when none was made yet.',
    dutch:
      'config.xml zoals het bestand het laatst is gemaakt. Er staan geheimen in. 404 zolang het niet is gemaakt.',
    needs: 'manage-machines',
    changes: true,
    media: ['application/xml', 'application/json'],
    query: z.object({ serienummer: serial }),
    response: z.unknown(),
  },
} as const satisfies Endpoints;
