import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { ReactNode } from 'react';
import styles from './search-field.module.css';

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** How much was found, in words: it is said by a screen reader. */
  readonly found: ReactNode;
};

/** Words to look for above a long list, and how much was found. */
export function SearchField({ label, placeholder, value, onChange, found }: SearchFieldProps) {
  return (
    <search className={styles.search}>
      <TextInput
        type="search"
        size="md"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p role="status" className={styles.found}>
        {found}
      </p>
    </search>
  );
}
