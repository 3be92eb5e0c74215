/** A user's access restriction, with the names of its projects and labels; `machines` null: the user sees all machines. */
export type NamedAccessLimit = {
  readonly machines: { readonly projects: readonly string[]; readonly labels: readonly string[] } | null;
  readonly onlyToday: boolean;
};

/** Maximum number of names in a list; a longer list ends with the number of the other names. */
const MAX_NAMES = 3;

const named = (one: string, many: string, names: readonly string[]): string => {
  if (names.length === 1) return `${one} ${quoted(names[0] ?? '')}`;
  const shown = names.slice(0, names.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
  const left = names.length - shown.length;
  return `${many} ${inRow([...shown.map(quoted), ...(left > 0 ? [`${left} andere`] : [])])}`;
};

const quoted = (name: string): string => `‘${name}’`;

const inRow = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} en ${parts.at(-1)}`;

/** Returns "project ‘Sluis’ en label ‘Huur’"; undefined: there are none. */
function machinesText({ projects, labels }: NonNullable<NamedAccessLimit['machines']>): string | undefined {
  const parts = [
    ...(projects.length > 0 ? [named('project', 'projecten', projects)] : []),
    ...(labels.length > 0 ? [named('label', 'labels', labels)] : []),
  ];
  return parts.length > 0 ? inRow(parts) : undefined;
}

/** Returns a Dutch sentence about what a user with an access restriction sees. */
export function ownAccessLimitText({ machines, onlyToday }: NamedAccessLimit): string {
  const day = onlyToday ? ', en alleen vandaag' : '';
  if (machines === null) return 'Je ziet alleen de dag van vandaag.';
  const seen = machinesText(machines);
  return seen === undefined
    ? 'Je ziet nu geen machines: je projecten zijn afgelopen of je labels bestaan niet meer.'
    : `Je ziet alleen machines van ${seen}${day}.`;
}

/** Returns the access restriction of a user for the list of users: "beperkt tot project ‘Sluis’, alleen vandaag". */
export function userAccessLimitText({ machines, onlyToday }: NamedAccessLimit): string {
  const seen = machines && (machinesText(machines) ?? 'projecten of labels die er niet meer zijn');
  return [...(seen === null ? [] : [`beperkt tot ${seen}`]), ...(onlyToday ? ['alleen vandaag'] : [])].join(
    ', ',
  );
}
