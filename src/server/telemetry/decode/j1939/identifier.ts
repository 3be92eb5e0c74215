/** Functions for the parts of a 29-bit identifier of SAE J1939 (J1939-21): priority, parameter group, destination and source. */

/** The source address with which a DBC means any sender. */
export const ANY_SOURCE_ADDRESS = 0xfe;
/** First PDU format of broadcast groups; in groups with a lower format the lowest byte is a destination (PDU1). */
const FIRST_BROADCAST_FORMAT = 240;

export const sourceAddressOf = (id: number): number => id & 0xff;

/** Returns whether an address is that of an ECU: 254 means no address, 255 means all ECUs. */
export const isEcuAddress = (address: number): boolean => address < ANY_SOURCE_ADDRESS;

/** Returns whether a group is sent to a destination (PDU1). */
export const isDestinationSpecific = (id: number): boolean => ((id >>> 16) & 0xff) < FIRST_BROADCAST_FORMAT;

/** Returns the parameter group number, 18 bits: without priority, and for PDU1 without destination. */
export function pgnOf(id: number): number {
  const group = (id >>> 8) & 0x3_ffff;
  return isDestinationSpecific(id) ? group & 0x3_ff00 : group;
}

/** Groups with a destination that machines send (J1939-21, -71, -73, -81), and the bounds of the broadcast groups. */
const KNOWN_DIRECTED = new Set([
  0x0000, 0x0100, 0xc300, 0xd900, 0xe800, 0xea00, 0xeb00, 0xec00, 0xee00, 0xef00,
]);
const FIRST_BROADCAST = 0xf000;
const LAST_BROADCAST = 0xffff;

/** Returns whether a group is a standard group or a proprietary one, on either data page. */
export function isKnownPgn(group: number): boolean {
  const onPage = group & 0xffff;
  return (onPage >= FIRST_BROADCAST && onPage <= LAST_BROADCAST) || KNOWN_DIRECTED.has(onPage);
}
