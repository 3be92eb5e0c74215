import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is as a media query says, from the first drawing on. */
export const useMedia = (query: string): boolean =>
  useMediaQuery(query, false, { getInitialValueInEffect: false });
