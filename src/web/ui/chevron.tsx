import type { ReactNode } from 'react';

/** An arrow that points down if `isOpen`, otherwise to the right. */
export function Chevron({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path
        d={isOpen ? 'M6 9l6 6 6-6' : 'M9 6l6 6-6 6'}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
