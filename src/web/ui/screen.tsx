import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { TextLink } from './link.tsx';
import styles from './screen.module.css';

/** A message instead of a page: a title, a sentence, what one can do. */
export function Screen({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <section className={styles.screen}>
      <h1>{title}</h1>
      {children}
    </section>
  );
}

type NotFoundProps = {
  /** 'Deze machine', 'Dit project'. */
  readonly what: string;
  /** Where there are others, and in words. */
  readonly to: string;
  readonly way: string;
  /** What was looked for. */
  readonly children?: ReactNode;
};

/** What an address names is not there, or is not for this person: the same on every page. */
export function NotFound({ what, to, way, children }: NotFoundProps) {
  return (
    <Screen title={`${what} bestaat niet`}>
      <p>{children ?? 'Misschien is dit verwijderd, of mag je het niet zien.'}</p>
      <TextLink to={to}>{way}</TextLink>
    </Screen>
  );
}

/** APP-01's word while something is not there yet. It stands in for a page, so it is its heading too. */
export function Loading() {
  return (
    <div role="status">
      <h1 className={styles.loading}>Loading...</h1>
    </div>
  );
}
