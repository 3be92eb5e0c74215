import { memo, type ReactNode, useState } from 'react';
import { useReachableAgainAt } from '#web/live/live.ts';
import styles from './machine-photo.module.css';

type MachinePhotoProps = {
  readonly serial: string;
  readonly alias: string;
  /** Hash of the photo; undefined if there is none or it is not known yet. */
  readonly hash: string | undefined;
};

/**
 * A small photo of a machine in a list, loaded when it becomes visible; without a photo, the first letter of the name beside
 * it.
 */
export const MachinePhoto = memo(({ serial, alias, hash }: MachinePhotoProps): ReactNode => {
  const [broken, setBroken] = useState<string>();
  const attempt = `${hash} ${useReachableAgainAt()}`;
  if (hash !== undefined && attempt !== broken)
    return (
      <img
        className={`${styles.photo} rigid round`}
        src={`/api/img/${encodeURIComponent(serial)}/${hash}`}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(attempt)}
      />
    );
  return (
    <span className={`${styles.photo} rigid round centre larger bold`} aria-hidden="true">
      {[...alias.trim()][0]?.toLocaleUpperCase('nl') ?? '?'}
    </span>
  );
});
