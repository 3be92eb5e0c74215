import { useRef, useState } from 'react';
import { failureText } from '#web/lib/failure-text.ts';
import { dbcFault } from './dbc-check.ts';

type SendDbc = (file: File, onProgress: (done: number) => void) => Promise<void>;

export type DbcUploadState = {
  readonly isBusy: boolean;
  /** From 0 to 1; 1 while the server reads it. */
  readonly done: number;
  /** One came through since the page was opened. */
  readonly isDone: boolean;
  readonly failure: string | undefined;
  /** @param fault why nothing can be sent yet, in Dutch */
  readonly start: (file: File, fault: string | undefined) => void;
};

/** One upload at a time to a bus: how far it is, and what is wrong with the file. */
export function useDbcUpload(send: SendDbc): DbcUploadState {
  const [state, setState] = useState<Omit<DbcUploadState, 'start'>>({
    isBusy: false,
    done: 0,
    isDone: false,
    failure: undefined,
  });
  const underWay = useRef(false);
  const start: DbcUploadState['start'] = async (file, fault) => {
    if (underWay.current) return;
    const failure = fault ?? dbcFault(file);
    setState((now) => ({ ...now, isBusy: failure === undefined, done: 0, failure }));
    if (failure !== undefined) return;
    underWay.current = true;
    try {
      await send(file, (done) => setState((now) => ({ ...now, done })));
      setState((now) => ({ ...now, isBusy: false, isDone: true }));
    } catch (error) {
      const why = failureText(error, 'Het DBC-bestand is niet opgeslagen. Probeer het opnieuw.');
      setState((now) => ({ ...now, isBusy: false, failure: why }));
    } finally {
      underWay.current = false;
    }
  };
  return { ...state, start };
}
