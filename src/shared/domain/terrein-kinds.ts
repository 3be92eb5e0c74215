/** Kinds of a terrein, with the words on screens. */
export const TERREIN_KINDS = { yard: 'Werf', workshop: 'Werkplaats', depot: 'Depot' } as const;
export type TerreinKind = keyof typeof TERREIN_KINDS;
export const TERREIN_KIND_NAMES = Object.keys(TERREIN_KINDS) as [TerreinKind, ...TerreinKind[]];
