/** Bytes of data by the length code of CAN FD. Codes up to 8 are the same in classical CAN. */
const DATA_LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

/** Returns the number of data bytes for a length code (DLC) of a CAN FD frame; -1 for an invalid code. */
export const dataLengthOf = (dlc: number): number => DATA_LENGTHS[dlc] ?? -1;
