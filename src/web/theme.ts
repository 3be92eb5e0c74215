import { createTheme, type MantineColorsTuple } from '@mantine/core';

/**
 * Shades of machine orange. White on shade 7 has a contrast of 5.0:1, and shade 4 as text on the dark surface 7.5:1: above the
 * 4.5:1 of WCAG 2.2 AA. Shade 6 is the brand's colour, for logo and markers; it is too light for small white text.
 */
const orange: MantineColorsTuple = [
  '#fff5eb',
  '#ffe8d1',
  '#fdd0a5',
  '#fbb274',
  '#f9944a',
  '#f07d2b',
  '#e0660f',
  '#bb4d06',
  '#973e08',
  '#79330b',
];

export const theme = createTheme({
  colors: { machine: orange },
  primaryColor: 'machine',
  primaryShade: 7,
  defaultRadius: 'md',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The description stands below the input, so that the label is directly above it.
  components: {
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
});
