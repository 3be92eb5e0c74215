/** J1939 sources and absent values of a log, for the definition's page and for decoding the next log. */
export type BusReport = {
  readonly senders: readonly MessageSender[];
  readonly absent: readonly AbsentValueCounts[];
  readonly held: readonly SelectedSource[];
  /** Number of multi-frame messages that were interrupted and dropped. */
  readonly dropped: number;
};

/** A source address that sent a message of the DBC. */
export type MessageSender = {
  readonly bus: number;
  /** The `messageKey` of the message in the DBC. */
  readonly message: number;
  readonly source: number;
  readonly frames: number;
};

/** How often a signal had no value. */
export type AbsentValueCounts = {
  /** The name of the signal in a reading. */
  readonly name: string;
  readonly notAvailable: number;
  readonly errors: number;
};

/** The source that a mapping without a source uses. `at`: the time of the last value from that source, in milliseconds. */
export type SelectedSource = { readonly name: string; readonly source: number; readonly at: number };

/** J1939 sources in earlier logs of the same logger. */
export type EarlierSources = {
  readonly senders: readonly Pick<MessageSender, 'bus' | 'message' | 'source'>[];
  readonly held: readonly SelectedSource[];
};

export const NO_EARLIER_SOURCES: EarlierSources = { senders: [], held: [] };
