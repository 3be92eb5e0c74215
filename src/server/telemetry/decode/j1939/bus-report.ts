/** J1939 sources and absent values of a log, for the definition's page and for the decoding of the next log. */
export type BusReport = {
  readonly senders: readonly Sender[];
  readonly absent: readonly AbsentValues[];
  readonly held: readonly HeldSource[];
  /** Messages in several frames that were interrupted. */
  readonly dropped: number;
};

/** A source address that sent a message of the DBC. */
export type Sender = {
  readonly bus: number;
  /** The `messageKey` of the message in the DBC. */
  readonly message: number;
  readonly source: number;
  readonly frames: number;
};

/** How often a signal came without a value. */
export type AbsentValues = {
  /** The name under which a reading carries the signal. */
  readonly name: string;
  readonly notAvailable: number;
  readonly errors: number;
};

/** The source whose values a mapping without a source takes. `at`: the time of its last value, ms. */
export type HeldSource = { readonly name: string; readonly source: number; readonly at: number };

/** Sources in earlier logs of the same logger. */
export type SourceMemory = {
  readonly senders: readonly Pick<Sender, 'bus' | 'message' | 'source'>[];
  readonly held: readonly HeldSource[];
};

export const NO_MEMORY: SourceMemory = { senders: [], held: [] };
