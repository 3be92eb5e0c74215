import { useEffect, useState } from 'react';
import styles from './copy-button.module.css';

const SHOWN_MS = 3_000;
const COPY = 'M9 9V5.5h9.5V15H15M5.5 9H15v9.5H5.5z';
const CHECK = 'M5 12.5l4.5 4.5L19 7.5';

/** Copies `text` to the clipboard and shows whether it worked. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => setOutcome((await copied(text)) ? 'copied' : 'failed');
  return (
    <>
      <button
        type="button"
        className={`${styles.button} icon-button anchor`}
        aria-label={label}
        title="Kopieer"
        data-outcome={outcome}
        onClick={() => void copy()}
      >
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path
            d={outcome === 'copied' ? CHECK : COPY}
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </button>
      <span role="status" className={outcome === 'failed' ? 'full alarming small' : 'sr-only'}>
        {outcome === 'copied' && 'Gekopieerd.'}
        {outcome === 'failed' && 'Kopiëren lukt hier niet. Selecteer de tekst zelf.'}
      </span>
    </>
  );
}

/** Copies the text. Returns false if that fails: browsers offer the clipboard only over https and on localhost. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
