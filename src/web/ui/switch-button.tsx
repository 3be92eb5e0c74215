import styles from './switch-button.module.css';

type SwitchButtonProps = {
  /** What it switches: 'Kraanbedrijf De Boer actief'. */
  readonly label: string;
  readonly isOn: boolean;
  /** The state in words, beside the colour. */
  readonly words: readonly [on: string, off: string];
  readonly isBusy: boolean;
  /** Off is nothing to worry about: grey, not red. */
  readonly isCalm?: boolean;
  readonly onSwitch: (isOn: boolean) => void;
};

/** A switch: green when on, red when off, and in words. While its work is under way a click does nothing. */
export function SwitchButton({ label, isOn, words, isBusy, isCalm, onSwitch }: SwitchButtonProps) {
  return (
    <button
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isBusy || undefined}
      data-calm={isCalm || undefined}
      onClick={() => isBusy || onSwitch(!isOn)}
    >
      <span className={styles.track} aria-hidden="true">
        <span className={styles.thumb} />
      </span>
      <span aria-hidden="true">{words[isOn ? 0 : 1]}</span>
    </button>
  );
}
