import { z } from 'zod';
import { J1939_SCOPES, type J1939Scope, MAX_SOURCE_ADDRESS } from '#shared/domain/j1939.ts';
import { CONTRADICTED_SIGNALS } from '#shared/domain/signal-contradiction.ts';
import type { Endpoints } from './endpoint.ts';

/** Which messages of a bus are SAE J1939; shared/domain/j1939.ts explains the choices. */
const J1939 = z.enum(J1939_SCOPES);

/** One DBC signal that feeds one of the portal's signals: value = raw value x factor + offset. */
const SignalMapping = z.object({
  /** CAN bus 0 to 3; absent: any bus that has the signal. */
  bus: z.number().int().min(0).max(3).optional(),
  /** DBC message name; absent when the signal's name is unique. */
  message: z.string().optional(),
  /** DBC signal name. */
  signal: z.string(),
  /**
   * J1939 source address whose values count, for a message that any source may send. Absent: the first source that sends it, until that
   * source is silent for 5 minutes.
   */
  source: z.number().int().min(0).max(MAX_SOURCE_ADDRESS).optional(),
  /** The portal's name for the signal: `Soc1`, `MotorSpeed` … */
  to: z.string(),
  factor: z.number().optional(),
  offset: z.number().optional(),
});
export type SignalMapping = z.output<typeof SignalMapping>;

/** A DBC message whose signals are all stored under their DBC names ("bewaren"). */
const KeptMessage = z.object({ bus: z.number().int().min(0).max(3), message: z.string() });
export type KeptMessage = z.output<typeof KeptMessage>;

const Mapping = z.object({
  signals: z.array(SignalMapping).max(1_000),
  keep: z.array(KeptMessage).max(2_000),
});
export type Mapping = z.output<typeof Mapping>;

/** The DBC file of one CAN bus, as it is stored. */
export type BusDefinition = {
  /** CAN bus 0 to 3. */
  readonly bus: number;
  /** bit/s; a DBC file does not contain it. */
  readonly bitrate: number;
  /**
   * Which messages of the bus are SAE J1939: none (the default), those that the DBC marks, all with 29-bit
   * identifiers, or some.
   */
  readonly j1939?: J1939Scope;
  /** Identifiers of the J1939 messages with the choice 'some', as '0x0CF004FE'. */
  readonly j1939Messages?: readonly string[];
  /** File name, for the screen. */
  readonly name: string;
  /** The DBC text, decoded from UTF-8 or cp1252. */
  readonly dbc: string;
};

/** Raw values from `first` on mean 'not available' in a snapshot; value = raw x factor + offset. */
export type AbsentValue = { readonly first: number; readonly factor: number; readonly offset: number };
/** Absent values by the name that a signal is mapped to. */
export type AbsentValues = Readonly<Record<string, AbsentValue>>;

/** How a logger's CAN frames become signals (docs/design.md section 1, "data definition"). */
export type Definition = {
  readonly buses: readonly BusDefinition[];
  readonly mapping: Mapping;
  /** Derived from the other fields, and stored so that decoding a snapshot need not parse DBC files. */
  readonly absent?: AbsentValues;
};

const DefinitionSignal = z.object({
  name: z.string(),
  unit: z.string(),
  /** Factor with which the DBC multiplies the raw value. */
  factor: z.number(),
  min: z.number(),
  max: z.number(),
  comment: z.string().optional(),
  /** For a multiplexed signal: the condition under which a frame contains the signal, such as 'mode = 1-3'. */
  activeWhen: z.string().optional(),
  /** Why the signal cannot be decoded, in Dutch. */
  unreadable: z.string().optional(),
});
const DefinitionMessage = z.object({
  /** '0x18FF50E5', or '0x1F1' for an 11-bit identifier. */
  identifier: z.string(),
  name: z.string(),
  /** Whether the message was recognized by its parameter group and source. */
  isJ1939: z.boolean().optional(),
  /** The message may come from any J1939 source address; a mapping may name one. */
  isOfAnySource: z.boolean().optional(),
  comment: z.string().optional(),
  signals: z.array(DefinitionSignal),
});
const DefinitionBus = z.object({
  bus: z.number().int(),
  /** bit/s. */
  bitrate: z.number().int(),
  /** File name. */
  name: z.string(),
  j1939: J1939,
  /** A J1939 choice that fits this file better than the present one; null: the present one fits. */
  j1939Proposed: J1939.nullable(),
  messages: z.array(DefinitionMessage),
  /** Dutch texts about messages, signals and statements that cannot be read, with line and reason: at most 20, and the number of others. */
  unreadable: z.array(z.string()),
  /** Dutch texts with line numbers about statements for unknown signals and about mapped signals that are no longer in the DBC file. */
  warnings: z.array(z.string()),
});
export type DefinitionBus = z.output<typeof DefinitionBus>;

const Proposal = z.object({
  /** The portal's name for the signal. */
  to: z.string(),
  bus: z.number().int(),
  message: z.string(),
  signal: z.string(),
  /** Converts the unit to that of the portal's signal; to be sent with the mapping. Absent when no conversion is needed. */
  factor: z.number().optional(),
});
export type MappingProposal = z.output<typeof Proposal>;

const FoundContradiction = z.object({
  /** The signal that seems wrong; `Soc` stands for all charge levels. */
  signal: z.enum(CONTRADICTED_SIGNALS),
  /** Factor and offset that would correct the mapping; `factor` null: no usual factor fits. */
  factor: z.number().nullable(),
  offset: z.number(),
  /** The evidence, in a Dutch sentence. */
  text: z.string(),
});
export type FoundContradiction = z.output<typeof FoundContradiction>;

const DefinitionView = z.object({
  /** To be sent back with a mapping, so that the mapping does not overwrite another user's change. 0: no definition yet. */
  version: z.number().int(),
  /** Whether the definition is of a machine or an LMB logger. Only an LMB logger needs the signals of work on rail. */
  kind: z.enum(['machine', 'logger']),
  buses: z.array(DefinitionBus),
  mapping: Mapping,
  /** DBC signals with a name similar to that of an unmapped signal, best first; they apply only after a user chooses one. */
  proposals: z.array(Proposal),
  /** The signals that this kind needs and that no DBC signal feeds. */
  unmapped: z.array(z.string()),
  /** Absent: the charge level and the energy agree, or a change was just made. */
  contradiction: FoundContradiction.optional(),
});
export type DefinitionView = z.output<typeof DefinitionView>;

const DefinitionChange = z.object({
  /** Dutch text about the change. */
  text: z.string(),
  /** The change removes something. */
  isLoss: z.boolean(),
});
export type DefinitionChange = z.output<typeof DefinitionChange>;

/** The definition after a change. If `changes` is present, this is the definition as it would become, and nothing was stored. */
const ChangedView = DefinitionView.extend({ changes: z.array(DefinitionChange).optional() });
export type ChangedDefinitionView = z.output<typeof ChangedView>;

const DefinitionVersion = z.object({
  version: z.number().int(),
  /** ISO time. */
  madeAt: z.string(),
  /** Name or e-mail address, or 'vertrokken account 12'; null: unknown, or the portal itself. */
  madeBy: z.string().nullable(),
  /** The version in force. */
  isPresent: z.boolean(),
  /** Changes from the previous version. */
  changes: z.array(DefinitionChange),
});
export type DefinitionVersion = z.output<typeof DefinitionVersion>;

/** J1939 sources and absent values in the stored log files of a machine. */
const SeenSources = z.object({
  /** Number of log files that were decoded with a J1939 definition. */
  files: z.number().int(),
  messages: z.array(
    z.object({
      bus: z.number().int(),
      /** Identifier as in the definition: '0x0CF004FE'. */
      identifier: z.string(),
      sources: z.array(z.object({ source: z.number().int(), frames: z.number().int() })),
    }),
  ),
  /** How often each signal was received without a value. */
  absent: z.array(z.object({ name: z.string(), notAvailable: z.number().int(), errors: z.number().int() })),
  /** Signals whose mapping names no source, and the source whose values counted last. */
  held: z.array(z.object({ name: z.string(), source: z.number().int() })),
  /** Number of multi-frame messages that were interrupted. */
  dropped: z.number().int(),
});
export type SeenJ1939Sources = z.output<typeof SeenSources>;

const Replaced = z.object({ added: z.number().int(), changed: z.number().int(), removed: z.number().int() });
export type RedecodedReadingCounts = z.output<typeof Replaced>;

/** The re-decoding of log files that is in progress, else the last one. */
const Redecoding = z.object({
  /** The re-decoding only computes what would change, and replaces nothing. */
  preview: z.boolean(),
  /** ISO time from which readings are replaced; null: all readings in the stored log files. */
  from: z.string().nullable(),
  /** Name or e-mail address, or 'vertrokken account 12'; null: unknown, or the portal itself. */
  startedBy: z.string().nullable(),
  /** ISO time. */
  startedAt: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Number of log files that were decoded; after the last one the new readings replace the former ones. */
  filesDone: z.number().int(),
  files: z.number().int(),
  /** The files by logger, with the ISO times at which the first and the last were received. */
  covers: z.array(
    z.object({ loggerSerial: z.string(), files: z.number().int(), from: z.string(), to: z.string() }),
  ),
  /** Dutch texts about parts of the files that could not be used. */
  findings: z.array(z.string()),
  /** Numbers of readings that were, or would be, replaced. */
  readings: Replaced,
  /** Numbers of values that were, or would be, replaced, by signal name. */
  signals: z.record(z.string(), Replaced),
});
export type Redecoding = z.output<typeof Redecoding>;

const RedecodingAnswer = z.object({ redecoding: Redecoding.nullable() });

const serial = z.string().max(200);
/** `ask`: return what would change instead of storing it. `version`: return 409 if the definition is newer. */
const asking = { ask: z.boolean().optional(), version: z.int32().optional() };

/** Calls about the data definition of a machine or LMB logger (API-01). */
export const definitionApi = {
  'POST /api/machine/dbc/upload': {
    summary:
      'Sets the DBC of one CAN bus (0 to 3) and its bit rate, and maps the signals with equal names. With `ask`: if something would be lost, nothing is stored and `changes` lists it.',
    dutch:
      'Legt de DBC van één CAN-bus (0 tot 3) en de bitsnelheid vast, en koppelt signalen met gelijke namen. Met ask wordt er niets bewaard als er iets vervalt; changes zegt dan wat.',
    needs: 'manage-machines',
    bodyLimit: 12 * 1024 * 1024,
    body: z.object({
      serial,
      name: z.string().max(300),
      /** Data URL, at most 4 MB of DBC. */
      file: z.string().max(11_500_000),
      bus: z.number().int().min(0).max(3).default(0),
      /** bit/s. */
      bitrate: z.number().int().min(10_000).max(1_000_000).default(250_000),
      /** Default: the messages that the file marks as J1939. */
      j1939: J1939.optional(),
      ...asking,
    }),
    response: ChangedView,
  },
  'GET /api/machine/dbc/:serial': {
    summary: 'Returns the messages, signals and mapping of a definition, and the unmapped signals.',
    dutch: 'Berichten, signalen, koppelingen, en wat nog niet gekoppeld is.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    response: DefinitionView,
  },
  'POST /api/machine/dbc/mapping': {
    summary:
      "Sets which DBC signal feeds which of the portal's signals. With `version`: answers 409 when the definition was changed since.",
    dutch:
      'Legt vast welk DBC-signaal welk signaal van het portaal voedt. Met version volgt 409 als iemand anders het intussen wijzigde.',
    needs: 'manage-machines',
    body: z.object({ serial, mapping: Mapping, version: z.int32().optional() }),
    response: DefinitionView,
  },
  'POST /api/machine/dbc/delete': {
    summary:
      'Removes the DBC of one bus, or the whole definition, and the mapping of its signals. With `ask`: nothing is stored, and `changes` lists what would be lost.',
    dutch:
      'Verwijdert de DBC van één bus, of de hele datadefinitie, met wat ervan gekoppeld was. Met ask wordt er niets bewaard; changes zegt wat er vervalt.',
    needs: 'manage-machines',
    body: z.object({ serial, bus: z.number().int().min(0).max(3).optional(), ...asking }),
    response: ChangedView,
  },
  'GET /api/machine/dbc/:serial/versions': {
    summary:
      'Lists the newest 200 versions of the definition, newest first: who made them, when, and what they changed.',
    dutch:
      'De nieuwste 200 versies van de datadefinitie, de nieuwste eerst: wie ze maakte, wanneer, en wat ze wijzigden.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    response: z.object({ versions: z.array(DefinitionVersion) }),
  },
  'POST /api/machine/dbc/restore': {
    summary:
      'Restores an earlier version, as a new version. With `ask`: nothing is stored, and `changes` lists what would change.',
    dutch:
      'Zet een eerdere versie terug, als een nieuwe. Met ask wordt er niets bewaard; changes zegt wat er verandert.',
    needs: 'manage-machines',
    body: z.object({ serial, restored: z.int32(), ...asking }),
    response: ChangedView,
  },
  'POST /api/machine/dbc/j1939': {
    summary:
      'Sets which messages of a bus are SAE J1939: recognized by parameter group and source, whatever the priority. Makes a new version.',
    dutch:
      'Kiest welke berichten van een CAN-bus SAE J1939 zijn: die worden herkend aan hun groep en afzender, welke prioriteit ze ook hebben. Maakt een nieuwe versie.',
    needs: 'manage-machines',
    body: z.object({
      serial,
      bus: z.number().int().min(0).max(3),
      j1939: J1939,
      /** Identifiers of the J1939 messages with the choice 'some', as in the definition ('0x0CF004FE'). */
      messages: z.array(z.string().max(10)).max(5_000).optional(),
      version: z.int32().optional(),
    }),
    response: DefinitionView,
  },
  'GET /api/machine/dbc/:serial/sources': {
    summary:
      'Returns the J1939 source addresses in the stored log files of the last 30 days, per message, and how often each signal had no value.',
    dutch:
      'De J1939-afzenders in de bewaarde logbestanden van de laatste 30 dagen, per bericht, en hoe vaak elk signaal zonder waarde kwam.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    response: SeenSources,
  },
  'POST /api/machine/dbc/redecode': {
    summary:
      'Starts to decode the stored log files of the last 30 days again with the present definition, from every logger that reported for the machine. With `preview` nothing is replaced. Answers 409 while a re-decoding is in progress.',
    dutch:
      'Begint de bewaarde logbestanden van de laatste 30 dagen opnieuw te decoderen met de huidige datadefinitie; met preview wordt er niets vervangen. 409 zolang er een bezig is.',
    needs: 'manage-machines',
    body: z.object({ serial, preview: z.boolean().default(true), from: z.iso.datetime().optional() }),
    response: RedecodingAnswer,
  },
  'GET /api/machine/dbc/:serial/redecode': {
    summary: 'Returns the progress of the re-decoding, or the result of the last one; null: there was none.',
    dutch:
      'Hoe ver het opnieuw decoderen is, of wat het de laatste keer deed; null als het nog nooit gebeurde.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    response: RedecodingAnswer,
  },
  'GET /api/machine/dbc/:serial/reference': {
    summary:
      "Returns what saving the machine with this reference machine would change in the machine's definition.",
    dutch: 'Wat het opslaan met deze vergelijkbare machine aan de datadefinitie zou veranderen.',
    needs: 'manage-machines',
    params: z.object({ serial }),
    query: z.object({ dbc_machine: z.string().max(200) }),
    response: z.object({ changes: z.array(DefinitionChange) }),
  },
} as const satisfies Endpoints;
