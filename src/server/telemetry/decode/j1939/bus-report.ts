/** Found in a log of J1939: what the definition's page shows, and what the decoding of the next log goes by. */
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

/** Of a mapping without a source: the one whose values it takes, and when that one was heard last, ms. */
export type HeldSource = { readonly name: string; readonly source: number; readonly at: number };

/** What earlier logs of the same logger showed. */
export type SourceMemory = {
  readonly senders: readonly Pick<Sender, 'bus' | 'message' | 'source'>[];
  readonly held: readonly HeldSource[];
};

export const NO_MEMORY: SourceMemory = { senders: [], held: [] };
