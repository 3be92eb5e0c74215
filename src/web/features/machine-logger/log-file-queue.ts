import { useEffect, useRef, useState } from 'react';
import type { LogFile } from '#shared/contract/log-files.ts';
import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';
import { fileSize } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { uploadLogFile } from '#web/lib/upload.ts';
import { useRenewal } from './logger-calls.ts';

/** A file that a person placed. `done` from 0 to 1: how much of it the portal has; at 1 it is being decoded. */
export type PlacedFile = {
  readonly key: number;
  readonly name: string;
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly done: number }
    | { readonly kind: 'stored'; readonly file: LogFile }
    | { readonly kind: 'failed'; readonly why: string };
};

let keys = 0;

/** Sends files to the portal, one after the other; the page that is left breaks off the one that is on its way. */
export function useLogFileQueue(serial: string) {
  const [placed, setPlaced] = useState<readonly PlacedFile[]>([]);
  const line = useRef<Promise<void>>(Promise.resolve());
  const left = useRef(new AbortController());
  const renew = useRenewal(serial);
  useEffect(() => {
    const leaving = new AbortController();
    left.current = leaving;
    return () => leaving.abort();
  }, []);

  const set = (key: number, state: PlacedFile['state']): void =>
    setPlaced((before) => before.map((one) => (one.key === key ? { ...one, state } : one)));

  const sendOne = async (key: number, file: File): Promise<void> => {
    const { signal } = left.current;
    if (signal.aborted) return;
    const onProgress = (done: number): void => set(key, { kind: 'sending', done });
    onProgress(0);
    try {
      const stored = await uploadLogFile({ serial, name: file.name }, file, { onProgress, signal });
      set(key, { kind: 'stored', file: stored });
      await renew();
    } catch (error) {
      set(key, {
        kind: 'failed',
        why: failureText(error, 'Het bestand is niet aangekomen. Plaats het opnieuw.'),
      });
    }
  };

  const place = (files: readonly File[]): void => {
    for (const file of files) {
      keys += 1;
      const key = keys;
      const isTooLarge = file.size > MAX_LOG_BYTES;
      const why = `Het bestand is te groot: hoogstens ${fileSize(MAX_LOG_BYTES)}.`;
      const state = isTooLarge ? ({ kind: 'failed', why } as const) : ({ kind: 'waiting' } as const);
      setPlaced((before) => [...before, { key, name: file.name, state }]);
      if (!isTooLarge) line.current = line.current.then(() => sendOne(key, file));
    }
  };
  return { placed, place };
}
