import { useEffect, useState } from 'react';
import { createPath, type Path, useLocation, useNavigate } from 'react-router';

/** For `navigate(path, withNote('…'))`: the page that is gone to says what was done. */
export const withNote = (note: string) => ({ state: { note } });

const noteIn = (state: unknown): string | undefined => {
  const note = (state as { note?: unknown } | null)?.note;
  return typeof note === 'string' ? note : undefined;
};

/** The address of the page once its note is read: a reload, or Back, is no second time. */
export const withoutNote = (page: Path): string => createPath(page);

/**
 * What the page says that it did: first what the page before it sent along, once, then what is set. It comes a
 * moment after the page itself, or a screen reader would not say it.
 */
export function useNote(): [note: string | undefined, setNote: (note: string | undefined) => void] {
  const { state, pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [note, setNote] = useState<string>();
  const arrived = noteIn(state);
  useEffect(() => {
    if (arrived === undefined) return;
    setNote(arrived);
    void navigate(withoutNote({ pathname, search, hash }), { replace: true });
  }, [arrived, pathname, search, hash, navigate]);
  return [note, setNote];
}
