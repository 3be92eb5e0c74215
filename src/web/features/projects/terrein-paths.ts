import type { Terrein } from '#shared/contract/terreinen.ts';

export const TERREINEN_PATH = '/projecten/terreinen';

/** Returns the address of a new rule for machines that leave a terrein outside working hours. */
export const departureRulePath = ({ _id, organization }: Pick<Terrein, '_id' | 'organization'>): string =>
  `/meldingen/regels?${new URLSearchParams({ terrein: String(_id), organisatie: organization })}`;
