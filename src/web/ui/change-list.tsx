import type { DefinitionChange } from '#shared/contract/definition.ts';
import styles from './change-list.module.css';

/** What a change of a data definition does, in a question and in the list of versions; what goes by it stands out. */
export function ChangeList({ changes }: { readonly changes: readonly DefinitionChange[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard too.
    <ul className={styles.changes} tabIndex={0}>
      {changes.map(({ text, isLoss }) => (
        <li key={text} data-loss={isLoss}>
          {text}
        </li>
      ))}
    </ul>
  );
}
