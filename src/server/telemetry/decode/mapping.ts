import type { KeptMessage, Mapping, SignalMapping } from '#shared/contract/definition.ts';
import type { BilingualText } from '#shared/domain/delivery-findings/format-texts.ts';
import { MAX_SOURCE_ADDRESS } from '#shared/domain/j1939.ts';
import {
  mappingTargetError,
  nameOfSameBattery,
  packMappedTwiceError,
  similarSignalNames,
} from '#shared/domain/mapping-target.ts';
import { isSignalName, TIME_FIELD_NAMES } from './reading-rules.ts';

/** A mapping that cannot be used. The Dutch message names the entry; the command line prints `english`. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
  readonly english: string;

  constructor({ nl, en }: BilingualText) {
    super(nl);
    this.english = en;
  }
}

/**
 * Reads a mapping in one of three notations: `{"signals": […], "keep": […]}`, a list of `{bus?, message?, signal, source?, to,
 * factor?, offset?}`, or the shorthand `{"SocDisp": "Soc1"}`.
 * @param json parsed JSON
 * @param stored target names that already have stored values; these are accepted without a check of the name
 * @throws MappingError with a Dutch reason for any other content
 */
export function parseMapping(json: unknown, stored: ReadonlySet<string> = new Set()): Mapping {
  const mapping = readMapping(json);
  const names = mapping.signals.map(({ to }) => to);
  mapping.signals.forEach(({ signal, to }, index) => {
    if (stored.has(to)) return;
    const other = nameOfSameBattery(to, names);
    if (other !== undefined)
      throw new MappingError({
        nl: `Mapping, regel ${index + 1} (${signal}): ${packMappedTwiceError(to, other)}`,
        en: `Mapping, entry ${index + 1} (${signal}): ${to} and ${other} are the charge of one battery, and only one of them counts. Did you mean ${other}?`,
      });
    const fault = mappingTargetError(to);
    if (fault === undefined) return;
    throw new MappingError({
      nl: `Mapping, regel ${index + 1} (${signal}): ${fault}`,
      en: `Mapping, entry ${index + 1} (${signal}): ${to} is no signal of the portal. Did you mean ${similarSignalNames(to).join(', ')}? A name of your own must not be like a name of the portal.`,
    });
  });
  return mapping;
}

function readMapping(json: unknown): Mapping {
  if (Array.isArray(json)) return { signals: json.map(readSignal), keep: [] };
  if (!isObject(json))
    throw new MappingError({
      nl: 'Een mapping is een lijst of een object.',
      en: 'A mapping is a list or an object.',
    });
  if (!('signals' in json) && !('keep' in json))
    return { signals: Object.entries(json).map(readShorthand), keep: [] };
  for (const key of Object.keys(json))
    if (key !== 'signals' && key !== 'keep')
      throw new MappingError({
        nl: `De mapping heeft een onbekend veld: ${key}.`,
        en: `The mapping has an unknown field: ${key}.`,
      });
  const { signals = [], keep = [] } = json;
  if (!Array.isArray(signals)) throw noList('signals');
  if (!Array.isArray(keep)) throw noList('keep');
  return { signals: signals.map(readSignal), keep: keep.map(readKept) };
}

const noList = (key: string): MappingError =>
  new MappingError({
    nl: `In de mapping is '${key}' geen lijst.`,
    en: `In the mapping '${key}' is no list.`,
  });

const SIGNAL_KEYS = ['bus', 'message', 'signal', 'source', 'to', 'factor', 'offset'];
const KEPT_KEYS = ['bus', 'message'];

function readSignal(entry: unknown, index: number): SignalMapping {
  const what = { nl: `Mapping, regel ${index + 1}`, en: `Mapping, entry ${index + 1}` };
  const fields = readObject(entry, SIGNAL_KEYS, what);
  const bus = fields.bus === undefined ? undefined : readBus(fields.bus, what);
  const message = fields.message === undefined ? undefined : readText(fields.message, 'message', what);
  const source = fields.source === undefined ? undefined : readSource(fields.source, what);
  const factor = fields.factor === undefined ? undefined : readNumber(fields.factor, 'factor', what);
  const offset = fields.offset === undefined ? undefined : readNumber(fields.offset, 'offset', what);
  return {
    signal: readText(fields.signal, 'signal', what),
    to: readTarget(fields.to, what),
    ...(bus !== undefined && { bus }),
    ...(message !== undefined && { message }),
    ...(source !== undefined && { source }),
    ...(factor !== undefined && { factor }),
    ...(offset !== undefined && { offset }),
  };
}

const readShorthand = ([signal, to]: [string, unknown]): SignalMapping => ({
  signal: readText(signal, 'signal', { nl: 'Mapping', en: 'Mapping' }),
  to: readTarget(to, { nl: `Mapping, ${signal}`, en: `Mapping, ${signal}` }),
});

function readKept(entry: unknown, index: number): KeptMessage {
  const what = {
    nl: `Mapping, te bewaren bericht ${index + 1}`,
    en: `Mapping, message to keep ${index + 1}`,
  };
  const fields = readObject(entry, KEPT_KEYS, what);
  return { bus: readBus(fields.bus, what), message: readText(fields.message, 'message', what) };
}

const ofEntry = (what: BilingualText, fault: BilingualText): MappingError =>
  new MappingError({ nl: what.nl + fault.nl, en: what.en + fault.en });

function readObject(entry: unknown, keys: readonly string[], what: BilingualText): Record<string, unknown> {
  if (!isObject(entry)) throw ofEntry(what, { nl: ' is geen object.', en: ' is no object.' });
  for (const key of Object.keys(entry))
    if (!keys.includes(key))
      throw ofEntry(what, { nl: ` heeft een onbekend veld: ${key}.`, en: ` has an unknown field: ${key}.` });
  return entry;
}

function readBus(value: unknown, what: BilingualText): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 3) return value;
  throw ofEntry(what, { nl: ": 'bus' is 0, 1, 2 of 3.", en: ": 'bus' is 0, 1, 2 or 3." });
}

function readSource(value: unknown, what: BilingualText): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SOURCE_ADDRESS)
    return value;
  throw ofEntry(what, {
    nl: `: 'source' is een adres van 0 tot en met ${MAX_SOURCE_ADDRESS}.`,
    en: `: 'source' is an address from 0 to ${MAX_SOURCE_ADDRESS}.`,
  });
}

function readNumber(value: unknown, key: string, what: BilingualText): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw ofEntry(what, { nl: `: '${key}' is geen getal.`, en: `: '${key}' is no number.` });
}

function readText(value: unknown, key: string, what: BilingualText): string {
  if (typeof value === 'string' && value !== '') return value;
  throw ofEntry(what, { nl: `: '${key}' ontbreekt.`, en: `: '${key}' is missing.` });
}

function readTarget(value: unknown, what: BilingualText): string {
  const name = readText(value, 'to', what);
  if (!isSignalName(name))
    throw ofEntry(what, {
      nl: ": 'to' is een naam van 1 tot 64 leesbare tekens.",
      en: ": 'to' is a name of 1 to 64 readable characters.",
    });
  if (TIME_FIELD_NAMES.some((time) => time === name))
    throw ofEntry(what, {
      nl: `: ${name} is de tijd van de meting en kan geen doel zijn.`,
      en: `: ${name} is the time of the reading and cannot be a target.`,
    });
  return name;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
