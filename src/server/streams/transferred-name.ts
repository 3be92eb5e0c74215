/**
 * Returns the text that a former owner sees instead of a machine's name, because the next owner may have changed serial
 * number and alias.
 */
export const transferredName = (streamId: number): string => `Overgedragen machine ${streamId}`;
