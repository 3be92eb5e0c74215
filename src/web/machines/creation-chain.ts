/** The steps that connect a machine's logger, down to its config.xml (MEDIT-05). */
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { call, send } from '#web/lib/api.ts';

export type ChainStep = 'record' | 'writer' | 'config' | 'download';

/** What each step is called while it is done, and after it. */
export const STEP_TEXTS: Readonly<Record<ChainStep, readonly [doing: string, done: string]>> = {
  record: ['Machine aanmaken', 'Machine is aangemaakt'],
  writer: ['Logger koppelen', 'Logger is gekoppeld'],
  config: ['Configuratie maken', 'Configuratie is gemaakt'],
  download: ['config.xml downloaden', 'config.xml is gedownload'],
};

/** `run` resolves to what the server says of it, if anything. */
export type ChainPart = { readonly step: ChainStep; readonly run: () => Promise<string | undefined> };

export type ChainOutcome = {
  readonly done: readonly ChainStep[];
  /** What the server said of the steps that are done, in their order. */
  readonly said: readonly string[];
  readonly failed?: { readonly step: ChainStep; readonly error: unknown };
};

/** One after the other, up to the first that fails; never rejects. `onStep` hears each before it begins. */
export async function runChain(
  parts: readonly ChainPart[],
  onStep: (step: ChainStep) => void,
): Promise<ChainOutcome> {
  const done: ChainStep[] = [];
  const said: string[] = [];
  for (const { step, run } of parts) {
    onStep(step);
    try {
      const message = await run();
      if (message !== undefined) said.push(message);
      done.push(step);
    } catch (error) {
      return { done, said, failed: { step, error } };
    }
  }
  return { done, said };
}

/** A logger by its kind and number. */
export type NamedLogger = { readonly kind: LoggerKind; readonly serial: string };

/**
 * Binds a logger; safe to repeat.
 * @param reference serial number of the machine whose data definition it gets, or ''
 * @param from what the logger reports for, where it may be taken from there
 */
export const writerPart = (
  serial: string,
  { kind, serial: loggerSerial }: NamedLogger,
  reference = '',
  from?: string,
): ChainPart => ({
  step: 'writer',
  run: async () => {
    if (from !== undefined) {
      const body = { serial, influx_serial: loggerSerial, from, logger_kind: kind };
      return (await call('POST /api/machine/writer/move', { body })).message;
    }
    const query = {
      serienummer: serial,
      influxserienummer: loggerSerial,
      dbcserienummer: reference,
      logger_kind: kind,
    };
    await call('GET /api/machine/writer/create', { query });
    return undefined;
  },
});

/**
 * Makes a new config.xml and saves it. For a CANedge the settings are made and not saved as a file: its page shows them. The
 * server's message may be a warning.
 */
export const configParts = (serial: string, kind: LoggerKind): readonly ChainPart[] => {
  const config: ChainPart = {
    step: 'config',
    run: async () =>
      (await call('GET /api/machine/config/create', { query: { serienummer: serial } })).message,
  };
  const download: ChainPart = {
    step: 'download',
    run: async () => {
      await downloadConfig(serial);
      return undefined;
    },
  };
  return kind === 'canedge' ? [config] : [config, download];
};

const DOWNLOAD = 'GET /api/machine/config/download';

/** Where config.xml is, for a link that says so; `downloadConfig` is what its click does. */
export const configPath = (serial: string): string =>
  `${DOWNLOAD.split(' ')[1]}?${new URLSearchParams({ serienummer: serial })}`;

/** Returns the settings of a CANedge as they were made last, as JSON. Rejects with ApiError. */
export const readConfig = async (serial: string): Promise<string> =>
  (await send(DOWNLOAD, { query: { serienummer: serial } })).text();

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
