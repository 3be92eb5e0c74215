import type { BusDefinition, DefinitionChange, Mapping, SignalMapping } from '#shared/contract/definition.ts';
import { J1939_SCOPE_TEXTS, sourceAddressText } from '#shared/domain/j1939.ts';
import { formatBitRate, formatExactNumber } from '#shared/domain/nl.ts';
import { knownSignal } from '#shared/domain/signal.ts';

/** A definition in a form for comparison: two buses have the same `content` if and only if their DBC files are equal. */
export type ComparedDefinition = {
  readonly buses: readonly (Omit<BusDefinition, 'dbc'> & {
    readonly content: string;
  })[];
  readonly mapping: Mapping;
};

/** Returns the differences between a definition and its predecessor, in Dutch: files, then mappings, then kept messages. */
export const definitionChanges = (
  before: ComparedDefinition,
  after: ComparedDefinition,
): DefinitionChange[] => [
  ...fileChanges(before, after),
  ...mappingChanges(before.mapping, after.mapping),
  ...keptChanges(before.mapping, after.mapping),
];

const loss = (text: string): DefinitionChange => ({ text, isLoss: true });
const gain = (text: string): DefinitionChange => ({ text, isLoss: false });

function fileChanges(before: ComparedDefinition, after: ComparedDefinition): DefinitionChange[] {
  const numbers = new Set([...before.buses, ...after.buses].map(({ bus }) => bus));
  return [...numbers].sort().flatMap((number) => {
    const [was, is] = [before, after].map(({ buses }) => buses.find(({ bus }) => bus === number));
    const on = `CAN-bus ${number}:`;
    if (!was) return is ? gain(`${on} ${is.name} toegevoegd (${formatBitRate(is.bitrate)})`) : [];
    if (!is) return loss(`${on} ${was.name} verwijderd`);
    const changes: DefinitionChange[] = [];
    if (was.content !== is.content) {
      const by = was.name === is.name ? 'een ander bestand van die naam' : is.name;
      changes.push(loss(`${on} ${was.name} vervangen door ${by}`));
    } else if (was.name !== is.name) changes.push(gain(`${on} ${was.name} heet nu ${is.name}`));
    if (was.bitrate !== is.bitrate)
      changes.push(gain(`${on} snelheid ${formatBitRate(was.bitrate)} → ${formatBitRate(is.bitrate)}`));
    const [from, to] = [j1939Text(was), j1939Text(is)];
    if (from !== to) changes.push(gain(`${on} J1939: ${from} → ${to}`));
    return changes;
  });
}

function j1939Text({ j1939 = 'none', j1939Messages = [] }: Omit<BusDefinition, 'dbc'>): string {
  const text = J1939_SCOPE_TEXTS[j1939];
  return j1939 === 'some' ? `${text} (${j1939Messages.toSorted().join(', ')})` : text;
}

function mappingChanges({ signals: before }: Mapping, { signals: after }: Mapping): DefinitionChange[] {
  const [was, is] = [before, after].map((signals) => new Map(signals.map((entry) => [entry.to, entry])));
  return [...new Set([...before, ...after].map(({ to }) => to))].flatMap((to) => {
    const [old, now] = [was?.get(to), is?.get(to)];
    const word = knownSignal(to)?.word ?? to;
    if (!old) return now ? gain(`Koppeling toegevoegd: ${word} uit ${sourceOf(now)}`) : [];
    if (!now) return loss(`Koppeling vervalt: ${word} uit ${sourceOf(old)}`);
    return isSame(old, now)
      ? []
      : loss(`Koppeling gewijzigd: ${word} uit ${sourceOf(now)}, was ${sourceOf(old)}`);
  });
}

/** Whether two mapping entries name the same signal; one may name its bus or message and the other not. */
const isSame = (a: SignalMapping, b: SignalMapping): boolean =>
  a.signal === b.signal &&
  a.source === b.source &&
  (a.bus ?? b.bus) === (b.bus ?? a.bus) &&
  (a.message ?? b.message) === (b.message ?? a.message) &&
  (a.factor ?? 1) === (b.factor ?? 1) &&
  (a.offset ?? 0) === (b.offset ?? 0);

function sourceOf({ signal, message, bus, source, factor = 1, offset = 0 }: SignalMapping): string {
  const place = [message, bus !== undefined && `can${bus}`].filter(Boolean).join(', ');
  return [
    signal,
    place !== '' && `(${place})`,
    source !== undefined && `van afzender ${sourceAddressText(source)}`,
    factor !== 1 && `× ${formatExactNumber(factor)}`,
    offset !== 0 && `${offset < 0 ? '−' : '+'} ${formatExactNumber(Math.abs(offset))}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function keptChanges({ keep: before }: Mapping, { keep: after }: Mapping): DefinitionChange[] {
  const namesOf = (keep: Mapping['keep']) =>
    new Set(keep.map(({ bus, message }) => `${message} (can${bus})`));
  const [was, is] = [namesOf(before), namesOf(after)];
  return [
    ...[...was].filter((name) => !is.has(name)).map((name) => loss(`Bewaren vervalt: ${name}`)),
    ...[...is].filter((name) => !was.has(name)).map((name) => gain(`Bewaren toegevoegd: ${name}`)),
  ];
}
