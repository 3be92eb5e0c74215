import type { DefinitionBus } from '#shared/contract/definition.ts';
import { bitrateText } from './bitrate.ts';
import styles from './bus-facts.module.css';

type BusFactsProps = {
  readonly file: DefinitionBus;
  /** It came just now: what was read around it is worth a look. */
  readonly isNew: boolean;
};

/** What a bus's DBC file holds, and what was read around. */
export function BusFacts({ file: { name, bitrate, messages, warnings }, isNew }: BusFactsProps) {
  const signals = messages.reduce((sum, message) => sum + message.signals.length, 0);
  return (
    <>
      <p className={styles.name}>{name}</p>
      <p className={styles.facts}>
        {bitrateText(bitrate)} · {counted(messages.length, 'bericht', 'berichten')} ·{' '}
        {counted(signals, 'signaal', 'signalen')}
      </p>
      {warnings.length > 0 && (
        <details className={styles.warnings} open={isNew}>
          <summary>{counted(warnings.length, 'waarschuwing', 'waarschuwingen')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard too. */}
          <ul tabIndex={0}>
            {warnings.map((warning, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal.
              <li key={at}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('nl-NL')} ${count === 1 ? one : more}`;
