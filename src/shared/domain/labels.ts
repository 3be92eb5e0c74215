/** The colours of labels, with their Dutch names. */
export const LABEL_COLOURS = {
  red: 'rood',
  orange: 'oranje',
  yellow: 'geel',
  green: 'groen',
  blue: 'blauw',
  purple: 'paars',
  grey: 'grijs',
} as const;
export type LabelColour = keyof typeof LABEL_COLOURS;
export const LABEL_COLOUR_NAMES = Object.keys(LABEL_COLOURS) as [LabelColour, ...LabelColour[]];

/** Maximum number of labels of one organization. */
export const MAX_LABELS = 200;
export const MAX_LABELS_PER_MACHINE = 20;
/** Maximum number of characters in a label's name. */
export const LABEL_CHARACTERS = 30;
