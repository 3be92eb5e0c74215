import { type ReactNode, useState } from 'react';
import { usePhoto } from './machine-calls.ts';
import styles from './machine-photo.module.css';

/** The photo, or a circle with the first letter of the alias, and why (MDET-02, MDET-10). */
export function MachinePhoto({ serial, alias }: { readonly serial: string; readonly alias: string }) {
  const { data, error } = usePhoto(serial);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const isBroken = data ? data.url === brokenUrl : Boolean(error);
  if (data && !isBroken) {
    const onError = (): void => setBrokenUrl(data.url);
    return <img className={styles.photo} src={data.url} alt={`Foto van ${alias}`} onError={onError} />;
  }
  return (
    <div className={styles.frame}>
      <div className={styles.letter} aria-hidden="true">
        {firstLetter(alias)}
      </div>
      <Reason isBroken={isBroken} isAbsent={data === null} />
    </div>
  );
}

/** MDET-10's words. */
function Reason({
  isBroken,
  isAbsent,
}: {
  readonly isBroken: boolean;
  readonly isAbsent: boolean;
}): ReactNode {
  if (!isBroken && !isAbsent) return null;
  return <p className={styles.reason}>{isBroken ? 'Error loading image.' : 'Afbeelding onbeschikbaar'}</p>;
}

/** A whole character, however many code units it takes. */
const firstLetter = (alias: string): string => [...alias.trim()][0]?.toLocaleUpperCase('nl') ?? '?';
