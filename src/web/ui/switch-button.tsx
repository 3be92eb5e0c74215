import styles from './switch-button.module.css';

type SwitchButtonProps = {
  /** Names the switched property: 'Kraanbedrijf De Boer actief'. */
  readonly label: string;
  readonly isOn: boolean;
  /** Texts of the two states. */
  readonly texts: readonly [on: string, off: string];
  readonly isBusy: boolean;
  /** Shows the off state in grey instead of red, where off is no cause for concern. */
  readonly isCalm?: boolean;
  readonly onSwitch: (isOn: boolean) => void;
};

/** A switch that is green when on and red when off, with a text. Ignores clicks while its work is in progress. */
export function SwitchButton({ label, isOn, texts, isBusy, isCalm, onSwitch }: SwitchButtonProps) {
  return (
    <button
      type="button"
      role="switch"
      className={`${styles.switch} inline touch rounded strong hover`}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isBusy || undefined}
      data-calm={isCalm || undefined}
      onClick={() => isBusy || onSwitch(!isOn)}
    >
      <span className={`${styles.track} rigid p-1`} aria-hidden="true">
        <span className={`${styles.thumb} block round`} />
      </span>
      <span aria-hidden="true">{texts[isOn ? 0 : 1]}</span>
    </button>
  );
}
