import { z } from 'zod';
import { J1939_CHOICES, type J1939Choice, LAST_SOURCE } from '#shared/domain/j1939.ts';
import { CONTRADICTED_SIGNALS } from '#shared/domain/signal-contradiction.ts';
import type { Endpoint } from './endpoint.ts';

/** shared/domain/j1939.ts. */
const J1939 = z.enum(J1939_CHOICES);

/** One DBC signal that feeds one of our signals: value = raw value x factor + offset. */
const SignalMapping = z.object({
  /** CAN bus 0 to 3; absent: whichever bus has the signal. */
  bus: z.number().int().min(0).max(3).optional(),
  /** DBC message name; absent when the signal's name is unique. */
  message: z.string().optional(),
  /** DBC signal name. */
  signal: z.string(),
  /**
   * Source address of J1939 whose values count, for a message that any source sends. Absent: the first source that answers,
   * until it is silent for 5 minutes.
   */
  source: z.number().int().min(0).max(LAST_SOURCE).optional(),
  /** Our name for it: `Soc1`, `MotorSpeed` … */
  to: z.string(),
  factor: z.number().optional(),
  offset: z.number().optional(),
});
export type SignalMapping = z.output<typeof SignalMapping>;

/** A DBC message whose signals are all kept, under their DBC names ("bewaren"). */
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
  /** bit/s; a DBC does not say it. */
  readonly bitrate: number;
  /** Which of its messages are SAE J1939: none (the default), those of which the DBC says so, all with 29 bits, or some. */
  readonly j1939?: J1939Choice;
  /** Identifiers of those that are, as '0x0CF004FE', with the choice 'some'. */
  readonly j1939Messages?: readonly string[];
  /** File name, for people. */
  readonly name: string;
  /** The DBC text, decoded from UTF-8 or cp1252. */
  readonly dbc: string;
};

/** A signal of a snapshot is none from the raw value `first` on; value = raw x factor + offset. */
export type AbsentValue = { readonly first: number; readonly factor: number; readonly offset: number };
/** By the name that a signal is mapped to. */
export type AbsentValues = Readonly<Record<string, AbsentValue>>;

/** How a logger's CAN frames become signals (docs/design.md section 1, "data definition"). */
export type Definition = {
  readonly buses: readonly BusDefinition[];
  readonly mapping: Mapping;
  /** Follows from the rest, and is stored with it: a snapshot must not wait until DBC files are read. */
  readonly absent?: AbsentValues;
};

const DefinitionSignal = z.object({
  name: z.string(),
  unit: z.string(),
  /** By what the DBC multiplies the raw value. */
  factor: z.number(),
  min: z.number(),
  max: z.number(),
  comment: z.string().optional(),
  /** In words, when it is in the frame only sometimes: 'mode = 1-3'. */
  activeWhen: z.string().optional(),
  /** Why it is never decoded, in Dutch. */
  unreadable: z.string().optional(),
});
const DefinitionMessage = z.object({
  /** '0x18FF50E5', or '0x1F1' for an 11-bit identifier. */
  identifier: z.string(),
  name: z.string(),
  /** Found by its group and source. */
  isJ1939: z.boolean().optional(),
  /** Whichever source sends it: a mapping may name one. */
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
  /** A choice that fits this file better; null: none does. */
  j1939Proposed: J1939.nullable(),
  messages: z.array(DefinitionMessage),
  /** Messages, signals and statements that are not read, in Dutch, with line and reason: at most 20, and how many more. */
  unreadable: z.array(z.string()),
  /** Dutch texts with line numbers: statements about unknown signals, mapped signals that are gone. */
  warnings: z.array(z.string()),
});
export type DefinitionBus = z.output<typeof DefinitionBus>;

const Proposal = z.object({
  /** Our signal. */
  to: z.string(),
  bus: z.number().int(),
  message: z.string(),
  signal: z.string(),
  /** Converts its unit to that of our signal: to be sent with the mapping. Absent where it need not. */
  factor: z.number().optional(),
});

const FoundContradiction = z.object({
  /** The signal that seems wrong; `Soc` stands for all charge levels. */
  signal: z.enum(CONTRADICTED_SIGNALS),
  /** By what its rows are to be multiplied, and what is added after that; null: no usual factor fits. */
  factor: z.number().nullable(),
  offset: z.number(),
  /** The evidence, in a Dutch sentence. */
  text: z.string(),
});
export type FoundContradiction = z.output<typeof FoundContradiction>;

const DefinitionView = z.object({
  /** Send it back with a mapping: who saved in the meantime is not overwritten. 0: no definition yet. */
  version: z.number().int(),
  /** Whose it is: signals of work on rail are asked of an LMB logger only. */
  kind: z.enum(['machine', 'logger']),
  buses: z.array(DefinitionBus),
  mapping: Mapping,
  /** DBC signals with a similar name, best first per signal of ours; not applied until somebody chooses one. */
  proposals: z.array(Proposal),
  /** Our signals that nothing feeds, of those that are asked of its kind. */
  unmapped: z.array(z.string()),
  /** Absent: the charge level and the energy agree, or a change was just made. */
  contradiction: FoundContradiction.optional(),
});
export type DefinitionView = z.output<typeof DefinitionView>;

const DefinitionChange = z.object({
  /** In Dutch. */
  text: z.string(),
  /** Something that was there goes. */
  isLoss: z.boolean(),
});
export type DefinitionChange = z.output<typeof DefinitionChange>;

/** What a change makes, or, with `changes`, would make: then nothing was stored. */
const ChangedView = DefinitionView.extend({ changes: z.array(DefinitionChange).optional() });
export type ChangedView = z.output<typeof ChangedView>;

const DefinitionVersion = z.object({
  version: z.number().int(),
  /** ISO time. */
  madeAt: z.string(),
  /** Name or e-mail, or 'vertrokken account 12'; null: unknown, or the portal itself. */
  madeBy: z.string().nullable(),
  /** The one that is in force. */
  isPresent: z.boolean(),
  /** Against the version before it. */
  changes: z.array(DefinitionChange),
});
export type DefinitionVersion = z.output<typeof DefinitionVersion>;

/** J1939 sources and absent values in the stored log files of a machine. */
const SeenSources = z.object({
  /** Log files that were decoded by a definition with J1939. */
  files: z.number().int(),
  messages: z.array(
    z.object({
      bus: z.number().int(),
      /** As the definition has it: '0x0CF004FE'. */
      identifier: z.string(),
      sources: z.array(z.object({ source: z.number().int(), frames: z.number().int() })),
    }),
  ),
  /** How often a signal came without a value, by its name in a reading. */
  absent: z.array(z.object({ name: z.string(), notAvailable: z.number().int(), errors: z.number().int() })),
  /** Signals without a source of their own, and the one that they went by last. */
  held: z.array(z.object({ name: z.string(), source: z.number().int() })),
  /** Messages in several frames that were interrupted. */
  dropped: z.number().int(),
});
export type SeenSources = z.output<typeof SeenSources>;

const Replaced = z.object({ added: z.number().int(), changed: z.number().int(), removed: z.number().int() });
export type Replaced = z.output<typeof Replaced>;

/** How log files are decoded again: under way, or the last time. */
const Redecoding = z.object({
  /** Only what would change. */
  preview: z.boolean(),
  /** ISO time from which on; null: all that the stored log files hold. */
  from: z.string().nullable(),
  /** As `madeBy`. */
  startedBy: z.string().nullable(),
  /** ISO time. */
  startedAt: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Log files that have been read; when all are, their readings take the place of the former ones. */
  filesDone: z.number().int(),
  files: z.number().int(),
  /** The files that are read, by logger, with the ISO times at which the first and the last one came. */
  covers: z.array(
    z.object({ loggerSerial: z.string(), files: z.number().int(), from: z.string(), to: z.string() }),
  ),
  /** In Dutch: why a part of the files is no history. */
  findings: z.array(z.string()),
  /** What has been replaced so far, or would be. */
  readings: Replaced,
  /** The same of the values of each signal, by its name. */
  signals: z.record(z.string(), Replaced),
});
export type Redecoding = z.output<typeof Redecoding>;

const RedecodingAnswer = z.object({ redecoding: Redecoding.nullable() });

const serial = z.string().max(200);
/** `ask`: see what would change before it is stored. `version`: 409 when it was changed since. */
const asking = { ask: z.boolean().optional(), version: z.int32().optional() };

/** API-01, Machines: the data definition, of a machine or LMB logger. */
export const definitionApi = {
  'POST /api/machine/dbc/upload': {
    summary:
      'Sets the DBC of one CAN bus (0 to 3) and its bit rate; maps the signals with equal names. With `ask` nothing is stored when something would go, and `changes` tells what.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    bodyLimit: 12 * 1024 * 1024,
    body: z.object({
      serial,
      name: z.string().max(300),
      /** Data URL, at most 4 MB of DBC. */
      file: z.string().max(11_500_000),
      bus: z.number().int().min(0).max(3).default(0),
      /** bit/s. */
      bitrate: z.number().int().min(10_000).max(1_000_000).default(250_000),
      /** Left out: what the file says of its messages. */
      j1939: J1939.optional(),
      ...asking,
    }),
    response: ChangedView,
  },
  'GET /api/machine/dbc/:serial': {
    summary: 'Messages, signals, mapping, and what is still unmapped.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    response: DefinitionView,
  },
  'POST /api/machine/dbc/mapping': {
    summary:
      'Sets which DBC signal feeds which signal of ours. With `version`, 409 when it was changed since.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({ serial, mapping: Mapping, version: z.int32().optional() }),
    response: DefinitionView,
  },
  'POST /api/machine/dbc/delete': {
    summary:
      'Removes the DBC of one bus, or the whole definition, with what was mapped from it. With `ask` nothing is stored, and `changes` tells what would go.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({ serial, bus: z.number().int().min(0).max(3).optional(), ...asking }),
    response: ChangedView,
  },
  'GET /api/machine/dbc/:serial/versions': {
    summary:
      'The newest 200 versions of the definition, newest first: who made them, when, and what they changed.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    response: z.object({ versions: z.array(DefinitionVersion) }),
  },
  'POST /api/machine/dbc/restore': {
    summary:
      'Makes an earlier version the present one, as a new version. With `ask` nothing is stored, and `changes` tells what would change.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({ serial, restored: z.int32(), ...asking }),
    response: ChangedView,
  },
  'POST /api/machine/dbc/j1939': {
    summary:
      'Chooses which messages of a bus are SAE J1939: told by their parameter group and source, whatever the priority. Makes a new version.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({
      serial,
      bus: z.number().int().min(0).max(3),
      j1939: J1939,
      /** Identifiers of those that are, as the definition has them ('0x0CF004FE'), with the choice 'some'. */
      messages: z.array(z.string().max(10)).max(5_000).optional(),
      version: z.int32().optional(),
    }),
    response: DefinitionView,
  },
  'GET /api/machine/dbc/:serial/sources': {
    summary:
      'The J1939 source addresses in the stored log files of the last 30 days, per message, and how often each signal came without a value.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    response: SeenSources,
  },
  'POST /api/machine/dbc/redecode': {
    summary:
      'Begins to decode the stored log files of the last 30 days, of every logger that reported for it, again by the present definition; with `preview` nothing is replaced. 409 while one is under way.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: z.object({ serial, preview: z.boolean().default(true), from: z.iso.datetime().optional() }),
    response: RedecodingAnswer,
  },
  'GET /api/machine/dbc/:serial/redecode': {
    summary: 'How far decoding again is, or what it did the last time; null: never.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    response: RedecodingAnswer,
  },
  'GET /api/machine/dbc/:serial/reference': {
    summary: 'What saving the machine with this reference machine would change in its definition.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    params: z.object({ serial }),
    query: z.object({ dbc_machine: z.string().max(200) }),
    response: z.object({ changes: z.array(DefinitionChange) }),
  },
} as const satisfies Record<string, Endpoint>;
