import { type ReactNode, useId, useRef, useState } from 'react';
import styles from './flyout.module.css';

/**
 * An icon button in the header and the panel that it opens. The panel is the browser's own popover: an outside
 * click and Escape close it, and the focus returns to the button. `children` is rendered only while the panel
 * is open.
 */
export function Flyout({
  label,
  side,
  icon,
  children,
}: {
  readonly label: string;
  readonly side: 'left' | 'right';
  readonly icon: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${styles.button} icon-button`}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        popoverTarget={id}
      >
        {icon}
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        className={`${styles.panel} raised clip inherit`}
        data-side={side}
        // Renders the children before the panel opens, and removes them after the browser has restored the
        // focus.
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
