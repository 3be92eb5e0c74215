import styles from './delete-button.module.css';

type DeleteButtonProps = {
  /** Name of the item, appended to `word` for screen readers. */
  readonly of: string;
  /** 'Delete' where the specification prescribes it. */
  readonly word?: 'Verwijder' | 'Delete';
  /** 'word': shows `word` in red; 'icon': shows a red bin. */
  readonly look?: 'word' | 'icon';
  readonly onClick: () => void;
};

/** A button that deletes an item: its `onClick` opens a ConfirmDialog, which asks for confirmation. */
export function DeleteButton({ of, word = 'Verwijder', look = 'word', onClick }: DeleteButtonProps) {
  return (
    <button
      type="button"
      className={`${styles.button} touch rounded px-3 strong alarming`}
      data-look={look}
      aria-label={`${word} ${of}`}
      title={look === 'icon' ? word : undefined}
      onClick={onClick}
    >
      {look === 'word' ? word : <Bin />}
    </button>
  );
}

function Bin() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path
        d="M4.5 7h15M9.5 7V4.75h5V7M6.5 7l.9 12.25h9.2L17.5 7M10.25 10.75v5M13.75 10.75v5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
