import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LogFile } from '#shared/contract/log-files.ts';
import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';
import { formatFileSize } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { uploadLogFile } from '#web/lib/upload.ts';
import { refreshQueries } from '#web/queries/use-change.ts';

/** A file in the queue. `done` is the uploaded share, from 0 to 1; at 1 the server decodes the file. */
export type QueuedFile = {
  readonly key: number;
  readonly name: string;
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly done: number }
    | { readonly kind: 'stored'; readonly file: LogFile }
    | { readonly kind: 'failed'; readonly why: string };
};

let keys = 0;

/** Uploads files one at a time. Leaving the page aborts the running upload. */
export function useLogFileQueue(serial: string) {
  const [queued, setPlaced] = useState<readonly QueuedFile[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const aborter = useRef(new AbortController());
  const client = useQueryClient();
  useEffect(() => {
    const controller = new AbortController();
    aborter.current = controller;
    return () => controller.abort();
  }, []);

  const set = (key: number, state: QueuedFile['state']): void =>
    setPlaced((before) => before.map((one) => (one.key === key ? { ...one, state } : one)));

  const sendOne = async (key: number, file: File): Promise<void> => {
    const { signal } = aborter.current;
    if (signal.aborted) return;
    const onProgress = (done: number): void => set(key, { kind: 'sending', done });
    onProgress(0);
    try {
      const stored = await uploadLogFile({ serial, name: file.name }, file, { onProgress, signal });
      set(key, { kind: 'stored', file: stored });
      await refreshQueries(client, 'POST /api/machine/log-file/upload');
    } catch (error) {
      set(key, {
        kind: 'failed',
        why: failureText(error, 'Het bestand is niet aangekomen. Plaats het opnieuw.'),
      });
    }
  };

  const enqueue = (files: readonly File[]): void => {
    for (const file of files) {
      keys += 1;
      const key = keys;
      const isTooLarge = file.size > MAX_LOG_BYTES;
      const why = `Het bestand is te groot: hoogstens ${formatFileSize(MAX_LOG_BYTES)}.`;
      const state = isTooLarge ? ({ kind: 'failed', why } as const) : ({ kind: 'waiting' } as const);
      setPlaced((before) => [...before, { key, name: file.name, state }]);
      if (!isTooLarge) queue.current = queue.current.then(() => sendOne(key, file));
    }
  };
  return { queued, enqueue };
}
