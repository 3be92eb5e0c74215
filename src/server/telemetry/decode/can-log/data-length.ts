/** Bytes of data by the length code of CAN FD; up to 8 that of classical CAN is the same. */
const DATA_LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];

/** Returns the bytes of data that a length code (DLC) of a CAN FD frame stands for; -1 for no length code. */
export const dataLengthOf = (dlc: number): number => DATA_LENGTHS[dlc] ?? -1;
