import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureText } from './failure-text.ts';

/** Sends `file`; `onProgress` hears from 0 to 1. */
type SendFile = (file: File, onProgress: (done: number) => void) => Promise<unknown>;

type UploadOptions = {
  /** Why the file cannot be sent. */
  readonly check: (file: File) => string | undefined;
  readonly send: SendFile;
  /** What is said when the server refuses without words. */
  readonly fallback: string;
};

export type Upload = {
  readonly isBusy: boolean;
  /** From 0 to 1; 1 while the server is at work with it. */
  readonly done: number;
  /** The last one came through. */
  readonly isDone: boolean;
  readonly failure: string | undefined;
  readonly start: (file: File) => void;
};

/** One upload at a time: what is wrong with the file before, how far it is, what came of it. */
export function useUpload({ check, send, fallback }: UploadOptions): Upload {
  const [done, setDone] = useState(0);
  const [fault, setFault] = useState<string>();
  const underWay = useRef(false);
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: (file: File) => send(file, setDone),
    onSettled: () => {
      underWay.current = false;
    },
  });
  const start = (file: File): void => {
    if (underWay.current) return;
    reset();
    const wrong = check(file);
    setFault(wrong);
    if (wrong !== undefined) return;
    underWay.current = true;
    setDone(0);
    mutate(file);
  };
  return {
    isBusy: isPending,
    done,
    isDone: isSuccess,
    failure: fault ?? (error ? failureText(error, fallback) : undefined),
    start,
  };
}
