import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** For `navigate(path, withNote('…'))`: the page that is gone to says what was done. */
export const withNote = (note: string) => ({ state: { note } });

const noteIn = (state: unknown): string | undefined => {
  const note = (state as { note?: unknown } | null)?.note;
  return typeof note === 'string' ? note : undefined;
};

/**
 * What the page says that it did: first what the page before it sent along, once, then what is set. It comes a
 * moment after the page itself, or a screen reader would not say it.
 */
export function useNote(): [note: string | undefined, setNote: (note: string | undefined) => void] {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [note, setNote] = useState<string>();
  const arrived = noteIn(state);
  useEffect(() => {
    if (arrived === undefined) return;
    setNote(arrived);
    // A reload, or Back, is no second time.
    void navigate(pathname, { replace: true });
  }, [arrived, pathname, navigate]);
  return [note, setNote];
}
