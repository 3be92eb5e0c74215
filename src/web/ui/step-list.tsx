import styles from './step-list.module.css';

export type ListedStep = {
  readonly text: string;
  readonly state: 'done' | 'failed' | 'open';
};

const SIGNS = {
  done: { path: 'M5 12.5l4.5 4.5L19 7.5', label: 'klaar' },
  failed: { path: 'M7 7l10 10M17 7L7 17', label: 'mislukt' },
  open: { path: 'M8 12h8', label: 'nog niet' },
} as const;

/** An ordered list of steps, each with an icon for its state and the state's name for screen readers. */
export function StepList({ steps }: { readonly steps: readonly ListedStep[] }) {
  return (
    <ol className={`${styles.steps} stack`}>
      {steps.map(({ text, state }) => (
        <li className="beside middle wrap" key={text} data-state={state}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <circle cx="12" cy="12" r="11" className={styles.plate} />
            <path
              d={SIGNS[state].path}
              fill="none"
              stroke="currentColor"
              strokeWidth="2.25"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span>
            {text}
            <span className="sr-only">, {SIGNS[state].label}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
