import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './figure.module.css';

type FigureProps = {
  readonly label: string;
  readonly value: string;
  /** Old data: it looks it. */
  readonly isStale?: boolean;
  /** Beside the value, smaller: 'uur'. */
  readonly more?: string | undefined;
  /** Below it: '6 u 16 min, ca. vol om 17:40', or why there is no value. */
  readonly note?: string | undefined;
  /** A Tip. */
  readonly tip?: ReactNode;
};

/** A number to be read from a distance, with its name above it. */
export function Figure({ label, value, isStale = false, more, note, tip }: FigureProps): ReactNode {
  return (
    <dl className={styles.figure} data-stale={isStale}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value}>{value}</span>
        {more && <span className={styles.more}>{more}</span>}
        {tip}
      </dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </dl>
  );
}

type TipProps = {
  /** What the button is called: 'Uitleg bij …'. */
  readonly label: string;
  readonly children: ReactNode;
};

/**
 * An explanation behind a small button: a mouse over it, a click, a touch or Enter opens it; Escape, leaving it or a
 * second press closes it. What it says belongs to the button for screen readers, open or not.
 */
export function Tip({ label, children }: TipProps): ReactNode {
  const id = useId();
  const frame = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => void (event.key === 'Escape' && setOpen(false));
    const onPress = (event: PointerEvent): void =>
      void (frame.current?.contains(event.target as Node) || setOpen(false));
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [isOpen]);
  const hover = (open: boolean) => (event: React.PointerEvent) =>
    void (event.pointerType === 'mouse' && setOpen(open));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button is what is used; this only follows the pointer.
    <span
      ref={frame}
      className={styles.frame}
      onPointerEnter={hover(true)}
      onPointerLeave={hover(false)}
      onBlur={({ relatedTarget }) => frame.current?.contains(relatedTarget) || setOpen(false)}
    >
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        // A mouse has opened it already when it clicks.
        onClick={({ nativeEvent }) =>
          setOpen((was) => (nativeEvent as PointerEvent).pointerType === 'mouse' || !was)
        }
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="M12 11v5.5" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
          <circle cx="12" cy="7.6" r="1.35" fill="currentColor" />
        </svg>
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the bubble is scrolled by keyboard. */}
      <span id={id} role="note" className={styles.bubble} hidden={!isOpen} tabIndex={0}>
        {children}
      </span>
    </span>
  );
}
