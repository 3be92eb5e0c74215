const MOST_BYTES = 8 * 1024 * 1024;
export const DBC_ACCEPT = '.dbc,text/plain,application/octet-stream';

/** Why a picked file cannot be sent, in Dutch. Whether it is a DBC is the portal's to say, with line and reason. */
export function dbcFault({
  name,
  size,
}: {
  readonly name: string;
  readonly size: number;
}): string | undefined {
  if (size === 0) return `${name} is leeg.`;
  return size > MOST_BYTES ? 'Een DBC-bestand mag hoogstens 8 MB zijn.' : undefined;
}
