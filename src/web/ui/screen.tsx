import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { TextLink } from './link.tsx';
import styles from './screen.module.css';

/** A message instead of a page: a title, a sentence and what the user can do. */
export function MessageScreen({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <section className={`${styles.screen} stack gap-4 centred`}>
      <h1 className="balance">{title}</h1>
      {children}
    </section>
  );
}

type NotFoundProps = {
  /** The missing item, as the subject of a sentence: 'Deze machine', 'Dit project'. */
  readonly what: string;
  /** Path and text of a link to the list of existing items. */
  readonly to: string;
  readonly way: string;
  /** Replaces the usual explanation. */
  readonly children?: ReactNode;
};

/** Shown when the item of an address does not exist or the user may not see it. Both cases look the same. */
export function NotFound({ what, to, way, children }: NotFoundProps) {
  return (
    <MessageScreen title={`${what} bestaat niet`}>
      <p className="quiet">{children ?? 'Misschien is dit verwijderd, of mag je het niet zien.'}</p>
      <TextLink to={to}>{way}</TextLink>
    </MessageScreen>
  );
}

/** Shown while a page loads, with the text of APP-01 as its heading. */
export function Loading() {
  return (
    <div role="status">
      <h1 className={`${styles.loading} medium quiet normal centred`}>Loading...</h1>
    </div>
  );
}
