/** Kinds of terreinen, with their Dutch texts. */
export const TERREIN_KINDS = { yard: 'Werf', workshop: 'Werkplaats', depot: 'Depot' } as const;
export type TerreinKind = keyof typeof TERREIN_KINDS;
export const TERREIN_KIND_NAMES = Object.keys(TERREIN_KINDS) as [TerreinKind, ...TerreinKind[]];
