import { useEffect, useState } from 'react';
import { createPath, type Path, useLocation, useNavigate } from 'react-router';

/** Returns options for `navigate(path, noteNavigationOptions('…'))`: the next page shows the note. */
export const noteNavigationOptions = (note: string) => ({ state: { note } });

const noteIn = (state: unknown): string | undefined => {
  const note = (state as { note?: unknown } | null)?.note;
  return typeof note === 'string' ? note : undefined;
};

/** Returns the address of the page without its note, so that a reload or Back does not show the note again. */
export const addressWithoutNote = (page: Path): string => createPath(page);

/**
 * Returns the note of the page and a function that sets it. At first the note is the one that the previous page
 * passed along, which is shown once. A note appears just after the page is rendered, because screen readers announce
 * only changes.
 */
export function useNote(): [note: string | undefined, setNote: (note: string | undefined) => void] {
  const { state, pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [note, setNote] = useState<string>();
  const arrived = noteIn(state);
  useEffect(() => {
    if (arrived === undefined) return;
    setNote(arrived);
    void navigate(addressWithoutNote({ pathname, search, hash }), { replace: true });
  }, [arrived, pathname, search, hash, navigate]);
  return [note, setNote];
}
