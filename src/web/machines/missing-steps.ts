import type { MissingStep } from '#shared/contract/writers.ts';

type Place = { readonly text: string; readonly path: (serial: string) => string };

const edit = (serial: string): string => `/machine/edit/${encodeURIComponent(serial)}`;
/** Id of the panel for the network, on the page of a machine or an LMB logger. */
export const NETWORK_PANEL = 'netwerk';

/** Text and path of the button for each step that may have to be done before a logger's configuration can be made. */
export const MISSING_STEP_LINKS: Readonly<Record<MissingStep, Place>> = {
  dbc: { text: 'Upload het DBC-bestand', path: (serial) => `${edit(serial)}/definitie` },
  signals: { text: 'Koppel de signalen', path: (serial) => `${edit(serial)}/definitie` },
  network: { text: 'Stel het netwerk in', path: (serial) => `${edit(serial)}#${NETWORK_PANEL}` },
};
