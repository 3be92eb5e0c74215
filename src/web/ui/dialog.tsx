import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  /** Escape, and every closing of the browser's own. */
  readonly onClose: () => void;
  /** For a list instead of a question. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/**
 * A question or form above the page, open while it is drawn: the browser's own modal dialog, which keeps the focus
 * inside. It begins at the element with `data-first`, else at the first one, and returns to what had it before.
 */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    element.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close it without asking, at the second Escape.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

/** What stands in a dialog below its title: paragraphs, fields and buttons, one below the other. */
export const DialogBody = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.body}>{children}</div>
);
