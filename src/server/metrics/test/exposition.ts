/** The parsed metrics of Prometheus' text format 0.0.4. */
export type Exposition = {
  /** The type of each metric family, such as counter or gauge. */
  readonly types: ReadonlyMap<string, string>;
  /** By name and labels, the labels in alphabetical order: `a_total{b="c",d="e"}`. */
  readonly values: ReadonlyMap<string, number>;
};

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
// prom-client writes Nan; Prometheus parses numbers as Go does, ignoring case.
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const LINE = new RegExp(String.raw`^(${NAME})(?:\{(${LABEL}(?:,${LABEL})*)\})? (-?\d\S*|[+-]Inf|Na[Nn])$`);
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** Parses the text strictly. @throws Error for a line outside the grammar */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  const helped = new Set<string>();
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, comment, family = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === 'HELP') {
      helped.add(family);
      continue;
    }
    if (comment === 'TYPE') {
      if (types.has(family) || !helped.has(family)) throw new Error(`Twice, or without help: ${line}`);
      if (!['counter', 'gauge', 'histogram', 'summary'].includes(rest)) throw new Error(`No type: ${line}`);
      types.set(family, rest);
      continue;
    }
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not a sample: ${line}`);
    if (!types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, ''))) {
      throw new Error(`Of no family: ${line}`);
    }
    const sorted = (labels.match(new RegExp(LABEL, 'g')) ?? []).sort();
    const key = sorted.length > 0 ? `${name}{${sorted.join(',')}}` : name;
    if (values.has(key)) throw new Error(`Twice: ${line}`);
    const number = NUMBER.test(value) ? Number(value) : value === '+Inf' ? Infinity : Number.NaN;
    values.set(key, number);
  }
  return { types, values };
}
