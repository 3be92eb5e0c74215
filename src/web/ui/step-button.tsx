import type { ReactNode } from 'react';

type StepButtonProps = {
  readonly label: string;
  readonly to: 'previous' | 'next';
  /** Whether there is no previous or next item; a press then does nothing. */
  readonly isOff?: boolean;
  readonly onPress: () => void;
};

const ARROWS = { previous: 'M15 5l-7 7 7 7', next: 'M9 5l7 7-7 7' } as const;

/** A button to the previous or next item. Without such an item it is not disabled, because a disabled button loses the focus. */
export const StepButton = ({ label, to, isOff = false, onPress }: StepButtonProps): ReactNode => (
  <button
    type="button"
    className="icon-button outlined anchor"
    aria-label={label}
    aria-disabled={isOff || undefined}
    onClick={() => isOff || onPress()}
  >
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path
        d={ARROWS[to]}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.25"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  </button>
);
