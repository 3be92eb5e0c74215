import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import { useInputError } from './input-errors.ts';
import styles from './pick-list.module.css';
import { TickBox } from './tick-box.tsx';

/** An option; `words` is the text that a search looks in. */
export type PickOption = { readonly value: string; readonly label: string; readonly words: string };

type PickListProps = {
  readonly label: string;
  /** Name under which a form shows the errors of this input. */
  readonly name?: string;
  /** Shown when nothing is chosen: 'Alle machines'. */
  readonly none: string;
  readonly options: readonly PickOption[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Whether the list is open at first. */
  readonly opens?: boolean;
};

/** The list shows at most this many options; the user finds others by searching. */
const MAX_SHOWN_ITEMS = 50;

/** Chooses several of many options. When closed, it shows the choice; when open, it has a search field and a checkbox per option. */
export function PickList({
  label,
  name,
  none,
  options,
  chosen,
  onChange,
  opens = false,
}: PickListProps): ReactNode {
  const id = useId();
  const error = useInputError(name);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(opens);
  const [words, setWords] = useState('');
  const asked = words.trim().toLowerCase().split(/\s+/);
  const found = options.filter((option) => asked.every((word) => option.words.toLowerCase().includes(word)));
  // Chosen options come first, so that they are always shown.
  const shown = [
    ...options.filter(({ value }) => chosen.includes(value)),
    ...found.filter(({ value }) => !chosen.includes(value)),
  ].slice(0, Math.max(MAX_SHOWN_ITEMS, chosen.length));
  const labels = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    // Closes the list only, not a dialog around it.
    event.preventDefault();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="shrink">
      <span id={`${id}-label`} className="block strong">
        {label}
      </span>
      <button
        ref={button}
        type="button"
        id={`${id}-button`}
        className={`${styles.fold} row-button between outlined py-1 px-3`}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-labelledby={`${id}-label ${id}-button`}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeyDown}
      >
        {labels.length === 0 ? none : labels.length <= 2 ? labels.join(', ') : `${labels.length} gekozen`}
      </button>
      <fieldset
        id={`${id}-list`}
        className={`${styles.picks} stack gap-1 surface py-2 px-3`}
        aria-labelledby={`${id}-label`}
        hidden={!isOpen}
        onKeyDown={onKeyDown}
      >
        {options.length > 8 && (
          <TextInput
            aria-label={`Zoek in ${label.toLowerCase()}`}
            placeholder="Zoek"
            size="md"
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
            // Enter must not submit a form around the list.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        {shown.map(({ value, label: name }) => (
          <TickBox
            key={value}
            label={name}
            checked={chosen.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
        ))}
        {found.length === 0 && <p className="mt-1 quiet">Niets gevonden</p>}
        {found.length > shown.length && (
          <p className="mt-1 quiet">
            {formatNumber(found.length - shown.length)} meer: zoek op naam of nummer.
          </p>
        )}
      </fieldset>
      {error !== undefined && <p className="mt-1 alarming small">{error}</p>}
    </div>
  );
}
