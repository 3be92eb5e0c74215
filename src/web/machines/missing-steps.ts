import type { MissingStep } from '#shared/contract/writers.ts';

type Place = { readonly words: string; readonly path: (serial: string) => string };

const edit = (serial: string): string => `/machine/edit/${encodeURIComponent(serial)}`;
/** The panel on a machine's page, or an LMB logger's, in which the network is set. */
export const NETWORK_PANEL = 'netwerk';

/** What a configuration may lack: the button that leads to it, and where it is done. */
export const STEP_PLACES: Readonly<Record<MissingStep, Place>> = {
  dbc: { words: 'Upload het DBC-bestand', path: (serial) => `${edit(serial)}/definitie` },
  signals: { words: 'Koppel de signalen', path: (serial) => `${edit(serial)}/definitie` },
  network: { words: 'Stel het netwerk in', path: (serial) => `${edit(serial)}#${NETWORK_PANEL}` },
};
