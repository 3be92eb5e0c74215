import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './factors.module.css';

type RecoveryCodesProps = {
  readonly codes: readonly string[];
  readonly onKept: () => void;
};

/** Shows new recovery codes, which the server returns only once, until the user confirms having kept them. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>
        Raak je je apparaat kwijt, dan log je met een van deze codes in. Elke code werkt één keer. Bewaar ze
        nu: ze worden <strong>niet nog eens</strong> getoond.
      </p>
      <ul className={`${styles.codes} framed gap-2-6 justify-centre p-3`} aria-label="Herstelcodes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="split gap-2">
        <a
          className="text-link"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Herstelcodes van ${location.host}\n\n${text}`)}`}
          download="herstelcodes.txt"
        >
          Bewaar als bestand
        </a>
        <CopyButton text={text} label="Kopieer de herstelcodes" />
      </div>
      <TickBox
        label="Ik heb de codes bewaard"
        checked={isKept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
      <Button size="md" fullWidth disabled={!isKept} onClick={onKept}>
        Klaar
      </Button>
    </>
  );
}
