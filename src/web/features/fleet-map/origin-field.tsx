import { type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react';
import { findOrigins, type NearbyOrigin, type OriginSources } from './origin.ts';
import styles from './origin-field.module.css';

type OriginFieldProps = {
  readonly origin: NearbyOrigin | undefined;
  readonly known: OriginSources;
  /** Called when the user starts to search, to load the lists of places. */
  readonly onFocus: () => void;
  /** Called with the chosen origin; with undefined to measure distances from the user's position again. */
  readonly onChange: (origin: NearbyOrigin | undefined) => void;
};

/** Field for the origin of the list of nearby machines: searched by name or coordinates, and cleared with a button. */
export function OriginField({ origin, known, onFocus, onChange }: OriginFieldProps): ReactNode {
  const [text, setText] = useState('');
  const listId = useId();
  const deferredText = useDeferredValue(text);
  const { origins, error } = useMemo(() => findOrigins(deferredText, known), [deferredText, known]);
  const choose = (chosen: NearbyOrigin): void => {
    setText('');
    onChange(chosen);
  };
  if (origin) {
    return (
      <p className="row between pl-3 small line-below">
        <span className="cut strong">
          <span className="smaller normal quiet">Vanaf</span> {origin.name}
        </span>
        <button
          type="button"
          className={`${styles.clear} icon-button quiet inset`}
          aria-label="Vanaf wissen"
          onClick={() => onChange(undefined)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m3.5 3.5 9 9m0-9-9 9" />
          </svg>
        </button>
      </p>
    );
  }
  return (
    <search className="block line-below">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [best] = findOrigins(text, known).origins;
          if (best) choose(best);
        }}
      >
        <input
          type="search"
          className={`${styles.field} full touch px-4 inherit inset`}
          aria-label="Vanaf: project, plaats, machine of coördinaten"
          placeholder="Vanaf project, plaats, machine…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-controls={listId}
          value={text}
          onFocus={onFocus}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
      <div id={listId} role="status">
        {error !== undefined && <p className="pb-3 px-4 smaller alarming">{error}</p>}
        {origins.length > 0 && (
          <ul className={`${styles.found} scroll line-above`} aria-label="Gevonden plaatsen">
            {origins.map((one) => (
              <li key={one.key}>
                <button className="row-button between px-4 small" type="button" onClick={() => choose(one)}>
                  <span className="cut strong">{one.name}</span>
                  <span className="smaller normal quiet">{one.sort}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </search>
  );
}
