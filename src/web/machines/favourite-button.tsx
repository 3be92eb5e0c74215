import type { ReactNode } from 'react';
import styles from './favourite-button.module.css';
import { useLabels, useSetFavourite } from './labels.ts';

type FavouriteButtonProps = {
  readonly serial: string;
  readonly alias: string;
};

/** A star that makes a machine a favourite of the user, or removes it from the favourites. */
export function FavouriteButton({ serial, alias }: FavouriteButtonProps): ReactNode {
  const { isFavourite } = useLabels();
  const { mutate, isPending, variables } = useSetFavourite();
  // Shows the state that the user chose until the portal responds.
  const isOn = isPending ? variables.isOn : isFavourite(serial);
  return (
    <button
      type="button"
      className={`${styles.star} icon-button round quiet`}
      aria-pressed={isOn}
      aria-label={`Favoriet: ${alias}`}
      title={isOn ? 'Favoriet: druk om het niet meer te zijn' : 'Maak favoriet'}
      onClick={() => isPending || mutate({ serial, isOn: !isOn })}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d="M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z" />
      </svg>
    </button>
  );
}
