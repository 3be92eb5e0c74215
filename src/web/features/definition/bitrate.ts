/** Bit rates that machines have, in bit/s, and a free one. A DBC does not say which. */
export const COMMON_BITRATES: readonly number[] = [125_000, 250_000, 500_000, 1_000_000];
export const DEFAULT_BITRATE = 250_000;

/** '250 kbit/s'. */
export const bitrateText = (bitrate: number): string => `${String(bitrate / 1000).replace('.', ',')} kbit/s`;

/** kbit/s as typed ('83,333') in bit/s; undefined outside of what the portal takes: 10 to 1000 kbit/s. */
export function readBitrate(kilobits: string): number | undefined {
  if (!/^\d{1,4}([.,]\d{1,3})?$/.test(kilobits.trim())) return undefined;
  const bitrate = Math.round(Number(kilobits.trim().replace(',', '.')) * 1000);
  return bitrate >= 10_000 && bitrate <= 1_000_000 ? bitrate : undefined;
}
