/** What a DBC's attributes say of the bus as a whole (Vector's names for them). */
export type BusAttributes = {
  /** bit/s of a CAN FD frame's data part, when the file says one that the logger can have. */
  readonly fdBitrate: number | undefined;
  /** Messages of more than 8 bytes then come in several frames, instead of one of CAN FD. */
  readonly isJ1939: boolean;
  /** CAN FD frames by the DBC's own number (bit 31 marks an extended one): these can be short too. */
  readonly fdMessages: ReadonlySet<number>;
};

/** bit/s (ReXgen XML schema, CANINTERFACE). */
const FASTEST_FD = 8_000_000;
/** VFrameFormat: 14 StandardCAN_FD, 15 ExtendedCAN_FD. */
const FD_FORMAT = /^[ \t]*BA_[ \t]+"VFrameFormat"[ \t]+BO_[ \t]+(\d+)[ \t]+1[45][ \t]*;/gm;
const FD_BITRATE = /^[ \t]*BA_[ \t]+"BaudrateCANFD"[ \t]+(\d+)[ \t]*;/m;
/** A default (BA_DEF_DEF_) counts as long as the file says nothing else. */
const PROTOCOL = /^[ \t]*BA_[ \t]+"ProtocolType"[ \t]+"([^"]*)"[ \t]*;/m;
const DEFAULT_PROTOCOL = /^[ \t]*BA_DEF_DEF_[ \t]+"ProtocolType"[ \t]+"([^"]*)"[ \t]*;/m;

/** @param dbc one that parseDbc has read */
export function readBusAttributes(dbc: string): BusAttributes {
  const fdBitrate = Number(FD_BITRATE.exec(dbc)?.[1]);
  const protocol = (PROTOCOL.exec(dbc) ?? DEFAULT_PROTOCOL.exec(dbc))?.[1];
  return {
    fdBitrate: fdBitrate > 0 && fdBitrate <= FASTEST_FD ? fdBitrate : undefined,
    isJ1939: protocol?.toUpperCase() === 'J1939',
    fdMessages: new Set([...dbc.matchAll(FD_FORMAT)].map(([, id]) => Number(id))),
  };
}
