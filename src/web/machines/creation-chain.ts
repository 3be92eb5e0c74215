/** The steps that connect a logger to a machine, up to the download of its config.xml (MEDIT-05). */
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { callApi, sendRequest } from '#web/lib/api.ts';

export type ChainStep = 'record' | 'writer' | 'config' | 'download';

/** Name of each step before and after it is done. */
export const STEP_TEXTS: Readonly<Record<ChainStep, readonly [doing: string, done: string]>> = {
  record: ['Machine aanmaken', 'Machine is aangemaakt'],
  writer: ['Logger koppelen', 'Logger is gekoppeld'],
  config: ['Configuratie maken', 'Configuratie is gemaakt'],
  download: ['config.xml downloaden', 'config.xml is gedownload'],
};

/** A step of the chain; `run` does the step and resolves to the server's message, if any. */
export type RunnableChainStep = { readonly step: ChainStep; readonly run: () => Promise<string | undefined> };

export type ChainOutcome = {
  readonly done: readonly ChainStep[];
  /** Messages of the server about the completed steps, in order. */
  readonly messages: readonly string[];
  readonly failed?: { readonly step: ChainStep; readonly error: unknown };
};

/** Runs the steps one after the other, up to the first that fails; never rejects. Calls `onStep` before each step. */
export async function runCreationChain(
  parts: readonly RunnableChainStep[],
  onStep: (step: ChainStep) => void,
): Promise<ChainOutcome> {
  const done: ChainStep[] = [];
  const messages: string[] = [];
  for (const { step, run } of parts) {
    onStep(step);
    try {
      const message = await run();
      if (message !== undefined) messages.push(message);
      done.push(step);
    } catch (error) {
      return { done, messages, failed: { step, error } };
    }
  }
  return { done, messages };
}

/** A logger by its kind and number. */
export type NamedLogger = { readonly kind: LoggerKind; readonly serial: string };

/**
 * Returns the step that binds a logger; the step may be repeated.
 * @param reference serial number of the machine whose data definition is copied, or ''
 * @param from machine or LMB logger that the logger now reports for, if it may be moved
 */
export const bindLoggerStep = (
  serial: string,
  { kind, serial: loggerSerial }: NamedLogger,
  reference = '',
  from?: string,
): RunnableChainStep => ({
  step: 'writer',
  run: async () => {
    if (from !== undefined) {
      const body = { serial, influx_serial: loggerSerial, from, logger_kind: kind };
      return (await callApi('POST /api/machine/writer/move', { body })).message;
    }
    const query = {
      serienummer: serial,
      influxserienummer: loggerSerial,
      dbcserienummer: reference,
      logger_kind: kind,
    };
    await callApi('GET /api/machine/writer/create', { query });
    return undefined;
  },
});

/**
 * Returns the steps that create and download a config.xml. The settings of a CANedge are created but not downloaded, because
 * its page shows them. The server's message may be a warning.
 */
export const configChainSteps = (serial: string, kind: LoggerKind): readonly RunnableChainStep[] => {
  const config: RunnableChainStep = {
    step: 'config',
    run: async () =>
      (await callApi('GET /api/machine/config/create', { query: { serienummer: serial } })).message,
  };
  const download: RunnableChainStep = {
    step: 'download',
    run: async () => {
      await downloadConfig(serial);
      return undefined;
    },
  };
  return kind === 'canedge' ? [config] : [config, download];
};

const DOWNLOAD = 'GET /api/machine/config/download';

/** Returns the address of config.xml for a link; a click on the link calls `downloadConfig`. */
export const configPath = (serial: string): string =>
  `${DOWNLOAD.split(' ')[1]}?${new URLSearchParams({ serienummer: serial })}`;

/** Returns the last created settings of a CANedge, as JSON. Rejects with ApiError. */
export const readConfig = async (serial: string): Promise<string> =>
  (await sendRequest(DOWNLOAD, { query: { serienummer: serial } })).text();

/**
 * Downloads the logger's config.xml. Fetches the file by script, so that a refusal shows a message and does not save a file.
 * Rejects with ApiError.
 */
export async function downloadConfig(serial: string): Promise<void> {
  const response = await sendRequest(DOWNLOAD, { query: { serienummer: serial } });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'config.xml';
  link.click();
  // Frees the file, which holds secrets, once the browser has saved it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
