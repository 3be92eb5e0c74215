/**
 * Returns what a former owner reads in place of a machine's name: serial number and alias are the next owner's, who may
 * have changed both.
 */
export const transferredName = (streamId: number): string => `Overgedragen machine ${streamId}`;
