import type { DefinitionChange } from '#shared/contract/definition.ts';
import styles from './change-list.module.css';

/** Lists the effects of a change of a data definition, in dialogs and in the list of versions. Losses stand out. */
export function ChangeList({ changes }: { readonly changes: readonly DefinitionChange[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by the keyboard.
    <ul className={`${styles.changes} bullets mt-2 scroll`} tabIndex={0}>
      {changes.map(({ text, isLoss }) => (
        <li className="wrap" key={text} data-loss={isLoss}>
          {text}
        </li>
      ))}
    </ul>
  );
}
