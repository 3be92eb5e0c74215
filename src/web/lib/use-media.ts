import { useMediaQuery } from '@mantine/hooks';

/** Returns whether a media query matches, from the first render on. */
export const useMedia = (query: string): boolean =>
  useMediaQuery(query, false, { getInitialValueInEffect: false });
