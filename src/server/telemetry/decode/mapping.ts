import type { KeptMessage, Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { targetFault } from '#shared/domain/mapping-target.ts';
import { isSignalName, TIME_NAMES } from './reading-rules.ts';

/** A mapping that cannot be used; the message is Dutch and names the entry. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/**
 * Reads a mapping in one of three spellings: `{"signals": […], "keep": […]}`, a bare list of
 * `{bus?, message?, signal, to, factor?, offset?}`, or the shorthand `{"SocDisp": "Soc1"}`.
 * @param json what JSON.parse gave
 * @param stored names that are fed already: they stay what they are, whatever they look like
 * @throws MappingError for anything else, with a Dutch reason
 */
export function parseMapping(json: unknown, stored: ReadonlySet<string> = new Set()): Mapping {
  const mapping = readMapping(json);
  mapping.signals.forEach(({ signal, to }, index) => {
    const fault = stored.has(to) ? undefined : targetFault(to);
    if (fault !== undefined) throw new MappingError(`Mapping, regel ${index + 1} (${signal}): ${fault}`);
  });
  return mapping;
}

function readMapping(json: unknown): Mapping {
  if (Array.isArray(json)) return { signals: json.map(readSignal), keep: [] };
  if (!isObject(json)) throw new MappingError('Een mapping is een lijst of een object.');
  if (!('signals' in json) && !('keep' in json))
    return { signals: Object.entries(json).map(readShorthand), keep: [] };
  for (const key of Object.keys(json))
    if (key !== 'signals' && key !== 'keep')
      throw new MappingError(`De mapping heeft een onbekend veld: ${key}.`);
  const { signals = [], keep = [] } = json;
  if (!Array.isArray(signals)) throw new MappingError("In de mapping is 'signals' geen lijst.");
  if (!Array.isArray(keep)) throw new MappingError("In de mapping is 'keep' geen lijst.");
  return { signals: signals.map(readSignal), keep: keep.map(readKept) };
}

const SIGNAL_KEYS = ['bus', 'message', 'signal', 'to', 'factor', 'offset'];
const KEPT_KEYS = ['bus', 'message'];

function readSignal(entry: unknown, index: number): SignalMapping {
  const what = `Mapping, regel ${index + 1}`;
  const fields = readObject(entry, SIGNAL_KEYS, what);
  const bus = fields.bus === undefined ? undefined : readBus(fields.bus, what);
  const message = fields.message === undefined ? undefined : readText(fields.message, 'message', what);
  const factor = fields.factor === undefined ? undefined : readNumber(fields.factor, 'factor', what);
  const offset = fields.offset === undefined ? undefined : readNumber(fields.offset, 'offset', what);
  return {
    signal: readText(fields.signal, 'signal', what),
    to: readTarget(fields.to, what),
    ...(bus !== undefined && { bus }),
    ...(message !== undefined && { message }),
    ...(factor !== undefined && { factor }),
    ...(offset !== undefined && { offset }),
  };
}

const readShorthand = ([signal, to]: [string, unknown]): SignalMapping => ({
  signal: readText(signal, 'signal', 'Mapping'),
  to: readTarget(to, `Mapping, ${signal}`),
});

function readKept(entry: unknown, index: number): KeptMessage {
  const what = `Mapping, te bewaren bericht ${index + 1}`;
  const fields = readObject(entry, KEPT_KEYS, what);
  return { bus: readBus(fields.bus, what), message: readText(fields.message, 'message', what) };
}

function readObject(entry: unknown, keys: readonly string[], what: string): Record<string, unknown> {
  if (!isObject(entry)) throw new MappingError(`${what} is geen object.`);
  for (const key of Object.keys(entry))
    if (!keys.includes(key)) throw new MappingError(`${what} heeft een onbekend veld: ${key}.`);
  return entry;
}

function readBus(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 3) return value;
  throw new MappingError(`${what}: 'bus' is 0, 1, 2 of 3.`);
}

function readNumber(value: unknown, key: string, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new MappingError(`${what}: '${key}' is geen getal.`);
}

function readText(value: unknown, key: string, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new MappingError(`${what}: '${key}' ontbreekt.`);
}

function readTarget(value: unknown, what: string): string {
  const name = readText(value, 'to', what);
  if (!isSignalName(name)) throw new MappingError(`${what}: 'to' is een naam van 1 tot 64 leesbare tekens.`);
  if (TIME_NAMES.some((time) => time === name))
    throw new MappingError(`${what}: ${name} is de tijd van de meting en kan geen doel zijn.`);
  return name;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
