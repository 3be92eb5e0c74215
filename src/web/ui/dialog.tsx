import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  /** Called on Escape and whenever the browser closes the dialog. */
  readonly onClose: () => void;
  /** Makes the dialog wide enough for a list. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/**
 * A modal dialog of the browser, open while it is rendered. It keeps the focus inside, starting at the element with
 * `data-first`, else at the first element that can have the focus, and restores the earlier focus when it closes.
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
      // A browser may close the dialog without a cancel event, at the second Escape.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      <h2 className="mb-3 balance" id={titleId}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The content of a dialog below its title: paragraphs, fields and buttons in one column. */
export const DialogBody = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className="stack">{children}</div>
);
