import type { ReactNode } from 'react';

/** One state of a component. `*.stories.tsx` is placed next to the component and exports one story per state. */
export type Story = {
  readonly render: () => ReactNode;
  /** 'fullscreen': the story fills the window, such as a map or an open dialog. */
  readonly layout?: 'fullscreen';
  /** The button that brings the component into this state; it is pressed once. */
  readonly press?: string;
  /** The browser animates a part of the component, so its pictures are not compared. */
  readonly isMoving?: true;
  /** Responses of the portal by 'METHOD /path'; every other call fails. */
  readonly answers?: Readonly<Record<string, unknown>>;
};

export const doNothing = (): void => {};

/** Work that never ends, for the states in which a component waits. */
export const neverEnds = (): Promise<never> => new Promise(() => {});
