import type { Terrein } from '#shared/contract/terreinen.ts';

export const TERREINEN_PATH = '/projecten/terreinen';

/** Returns the address of the form for a new alert rule: about machines that leave a terrein (a yard, a depot) outside working hours. */
export const departureRulePath = ({ _id, organization }: Pick<Terrein, '_id' | 'organization'>): string =>
  `/meldingen/regels?${new URLSearchParams({ terrein: String(_id), organisatie: organization })}`;
