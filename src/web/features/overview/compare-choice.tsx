import { Button } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { MAX_COMPARED_MACHINES, MIN_COMPARED_MACHINES } from '#shared/domain/compare.ts';
import { useUser } from '#web/session/user.ts';
import styles from './compare-choice.module.css';

type Choice = {
  /** Serial numbers in the order of choosing; undefined if the list shows no checkboxes. */
  readonly chosen: readonly string[] | undefined;
  readonly setChosen: (chosen: readonly string[] | undefined) => void;
};
const ChoiceContext = createContext<Choice>({ chosen: undefined, setChosen: () => undefined });

/** Context that holds which machines the user chose to compare, for the list inside. */
export function CompareChoice({ children }: { readonly children: ReactNode }): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>();
  const choice = useMemo(() => ({ chosen, setChosen }), [chosen]);
  return <ChoiceContext value={choice}>{children}</ChoiceContext>;
}

/** Button that starts and stops choosing machines to compare. */
export function CompareButton(): ReactNode {
  const { chosen, setChosen } = useContext(ChoiceContext);
  const { isLimited } = useUser();
  if (isLimited) return null;
  const isChoosing = chosen !== undefined;
  return (
    <Button
      variant="default"
      size="md"
      aria-pressed={isChoosing}
      onClick={() => setChosen(isChoosing ? undefined : [])}
    >
      Vergelijk
    </Button>
  );
}

/** Shows at the bottom of the window how many machines are chosen, with a link to the comparison. */
export function CompareBar(): ReactNode {
  const { chosen, setChosen } = useContext(ChoiceContext);
  if (!chosen) return null;
  const { length } = chosen;
  const search = new URLSearchParams(chosen.map((serial) => ['machine', serial]));
  return (
    <section className={styles.bar} aria-label="Vergelijk machines">
      <p role="status">
        {length} van {MAX_COMPARED_MACHINES} gekozen
        {length < MIN_COMPARED_MACHINES && ', kies er minstens twee'}
      </p>
      {length >= MIN_COMPARED_MACHINES && (
        <Button size="md" component={Link} to={`/vergelijk?${search}`}>
          Vergelijk {length} machines
        </Button>
      )}
      <Button variant="default" size="md" onClick={() => setChosen(undefined)}>
        Annuleren
      </Button>
    </section>
  );
}

type CompareTickProps = {
  readonly serial: string;
  readonly alias: string;
  /** Shown instead of the checkbox while the user is not choosing. */
  readonly children: ReactNode;
};

/** The checkbox of a machine while the user is choosing. */
export function CompareCheckbox({ serial, alias, children }: CompareTickProps): ReactNode {
  const { chosen, setChosen } = useContext(ChoiceContext);
  if (!chosen) return children;
  const isChosen = chosen.includes(serial);
  return (
    <label className={styles.tick}>
      <span className="sr-only">Vergelijk {alias || serial}</span>
      <input
        type="checkbox"
        checked={isChosen}
        disabled={!isChosen && chosen.length >= MAX_COMPARED_MACHINES}
        onChange={() => setChosen(isChosen ? chosen.filter((one) => one !== serial) : [...chosen, serial])}
      />
    </label>
  );
}
