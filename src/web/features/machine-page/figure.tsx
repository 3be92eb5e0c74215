import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './figure.module.css';

type FigureProps = {
  readonly label: string;
  readonly value: string;
  /** Greys the value because it is old. */
  readonly isStale?: boolean;
  /** Smaller text beside the value: 'uur'. */
  readonly more?: string | undefined;
  /** Text below the value: '6 u 16 min, ca. vol om 17:40', or why there is no value. */
  readonly note?: string | undefined;
  /** An ExplanationTip beside the value. */
  readonly tip?: ReactNode;
};

/** A large number that can be read from a distance, with its label above it. */
export function KeyFigure({ label, value, isStale = false, more, note, tip }: FigureProps): ReactNode {
  return (
    <dl className={`${styles.figure} stack gap-0`} data-stale={isStale}>
      <dt className="small">{label}</dt>
      <dd className="row touch">
        <span className={`${styles.value} bold tight`}>{value}</span>
        {more && <span className="quiet">{more}</span>}
        {tip}
      </dd>
      {note && <dd className={`${styles.note} row touch`}>{note}</dd>}
    </dl>
  );
}

type TipProps = {
  /** Label of the button: 'Uitleg bij …'. */
  readonly label: string;
  readonly children: ReactNode;
};

/**
 * An explanation behind a small button. Hovering with the mouse, a press or Enter opens it. Escape, a press
 * elsewhere, or moving the mouse or the focus away closes it; so does a second press, except with the mouse. Screen
 * readers find the text through the button, also while it is closed.
 */
export function ExplanationTip({ label, children }: TipProps): ReactNode {
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside has the interaction; this element only follows the pointer.
    <span
      ref={frame}
      className="inline gap-0"
      onPointerEnter={hover(true)}
      onPointerLeave={hover(false)}
      onBlur={({ relatedTarget }) => frame.current?.contains(relatedTarget) || setOpen(false)}
    >
      <button
        type="button"
        className={`${styles.button} icon-button anchor`}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        // Before a click, hovering with the mouse has already opened the tip.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text longer than the bubble must be scrollable by keyboard. */}
      <span id={id} role="note" className={styles.bubble} hidden={!isOpen} tabIndex={0}>
        {children}
      </span>
    </span>
  );
}
