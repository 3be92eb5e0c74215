/** What happens to a draft when somebody else saves the same machine. */
import type { MachineDraft } from './machine-draft.ts';

type Field = keyof MachineDraft;

const WORDS: readonly (readonly [Field, string])[] = [
  ['organization', 'Organisatie'],
  ['loggerSerial', 'Influx serienummer'],
  ['serial', 'Machine serienummer'],
  ['brand', 'Merk'],
  ['alias', 'Naam'],
  ['model', 'Model'],
  ['reference', 'Vergelijkbare Machine'],
  ['macaddress', 'MAC-adres'],
  ['hours', 'Urenstand bij aanvang'],
  ['batteries', "Accu's"],
  ['accessories', 'Hulpstukken'],
];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isChanged = (draft: MachineDraft, base: MachineDraft): boolean => !isSame(draft, base);

/** In words, in the form's order: the fields that differ. */
export const differences = (one: MachineDraft, other: MachineDraft): string[] =>
  WORDS.filter(([field]) => !isSame(one[field], other[field])).map(([, word]) => word);

/** The draft upon `fresh` in place of `base`: what was typed stays, what was not touched becomes the fresh one's. */
export function rebased(draft: MachineDraft, base: MachineDraft, fresh: MachineDraft): MachineDraft {
  const fields = Object.keys(draft) as Field[];
  const untouched = fields.filter((field) => isSame(draft[field], base[field]));
  return { ...draft, ...Object.fromEntries(untouched.map((field) => [field, fresh[field]])) };
}
