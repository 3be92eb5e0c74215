/** Uploads files with progress. */

import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Api } from '#shared/contract/api.ts';
import type { CallInput, CallOutput } from '#shared/contract/endpoint.ts';
import { apiErrorOfResponse, failureText, noAnswerError, unreadableAnswerError } from './api.ts';

/** Sends `file`; calls `onProgress` with values from 0 to 1. */
type SendFile = (file: File, onProgress: (done: number) => void) => Promise<unknown>;

type UploadOptions = {
  /** Returns why the file cannot be sent, or undefined. */
  readonly check: (file: File) => string | undefined;
  readonly send: SendFile;
  /** Shown when the server gives no message. */
  readonly fallback: string;
};

export type Upload = {
  readonly isBusy: boolean;
  /** The uploaded share, from 0 to 1; 1 while the server processes the file. */
  readonly done: number;
  /** Whether the last upload succeeded. */
  readonly isDone: boolean;
  readonly failure: string | undefined;
  readonly start: (file: File) => void;
};

/** Uploads one file at a time. Returns the progress and the failure, which may be that of `check`. */
export function useUpload({ check, send, fallback }: UploadOptions): Upload {
  const [done, setDone] = useState(0);
  const [checkFailure, setCheckFailure] = useState<string>();
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
    setCheckFailure(wrong);
    if (wrong !== undefined) return;
    underWay.current = true;
    setDone(0);
    mutate(file);
  };
  return {
    isBusy: isPending,
    done,
    isDone: isSuccess,
    failure: checkFailure ?? (error ? failureText(error, fallback) : undefined),
    start,
  };
}

/** The calls whose JSON body holds a file. */
type UploadKey = 'POST /api/img/upload' | 'POST /api/manual/upload' | 'POST /api/machine/dbc/upload';

type Body<K extends UploadKey> = CallInput<Api[K]> extends { readonly body: infer Sent } ? Sent : never;

type ProgressOptions = {
  /** Called with the part that the portal has received, from 0 to 1. At 1 the portal still processes the file. */
  readonly onProgress: (done: number) => void;
  readonly signal?: AbortSignal;
};

/**
 * Makes a `call` with a file. Uses XMLHttpRequest to report the progress, because fetch cannot. Rejects with
 * ApiError, or with the reason of an aborted `signal`.
 */
export function uploadWithProgress<K extends UploadKey>(
  key: K,
  body: Body<K>,
  { onProgress, signal }: ProgressOptions,
): Promise<CallOutput<Api[K]>> {
  const [method = '', path = ''] = key.split(' ');
  const content = { type: 'application/json', body: JSON.stringify(body) };
  return sendWithProgress(method, path, content, { onProgress, ...(signal && { signal }) }) as Promise<
    CallOutput<Api[K]>
  >;
}

/** Uploads a log file, whose bytes are the body. Reports and rejects as `uploadWithProgress` does. */
export function uploadLogFile(
  query: CallInput<Api['POST /api/machine/log-file/upload']>['query'],
  file: File,
  options: ProgressOptions,
): Promise<CallOutput<Api['POST /api/machine/log-file/upload']>> {
  const path = `/api/machine/log-file/upload?${new URLSearchParams(query)}`;
  const content = { type: 'application/octet-stream', body: file };
  return sendWithProgress('POST', path, content, options) as Promise<
    CallOutput<Api['POST /api/machine/log-file/upload']>
  >;
}

function sendWithProgress(
  method: string,
  path: string,
  content: { readonly type: string; readonly body: string | File },
  { onProgress, signal }: ProgressOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.withCredentials = true;
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', content.type);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(noAnswerError());
    request.onabort = () => reject(signal?.reason ?? noAnswerError());
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(content.body);
  });
}

async function answerOf({ status, responseText }: XMLHttpRequest): Promise<unknown> {
  if (status < 200 || status > 299) throw await apiErrorOfResponse(new Response(responseText, { status }));
  try {
    return JSON.parse(responseText);
  } catch (cause) {
    throw unreadableAnswerError(status, cause);
  }
}

/** Returns the file as a data URL, for the portal's upload calls. Rejects if the device cannot read the file. */
export function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
