import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

type PanelProps = {
  readonly title: string;
  /** Target of links to the panel. */
  readonly id?: string;
  /** Rendered beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** A section of a page with a heading and a border. */
export function Panel({ title, id, action, children }: PanelProps) {
  const titleId = useId();
  return (
    <section id={id} className={`${styles.panel} stack gap-4 surface p-4`} aria-labelledby={titleId}>
      <div className="split">
        <h2 className="large grow-12" id={titleId}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
