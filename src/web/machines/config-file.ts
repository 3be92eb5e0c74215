import { send } from '#web/lib/api.ts';

const DOWNLOAD = 'GET /api/machine/config/download';

/** Where config.xml is, for a link that says so; `downloadConfig` is what its click does. */
export const configPath = (serial: string): string =>
  `${DOWNLOAD.split(' ')[1]}?${new URLSearchParams({ serienummer: serial })}`;

/**
 * Saves the logger's config.xml in the browser's folder of downloads. Asked for by us and not by the browser, so that a
 * refusal is a sentence and no file. Rejects with ApiError.
 */
export async function downloadConfig(serial: string): Promise<void> {
  const response = await send(DOWNLOAD, { query: { serienummer: serial } });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'config.xml';
  link.click();
  // It holds secrets: gone from memory as soon as the browser has taken it over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
