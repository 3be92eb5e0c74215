import type { Api } from '#shared/contract/api.ts';
import type { CallInput, CallOutput } from '#shared/contract/endpoint.ts';
import { noAnswer, problemOf, unreadable } from './api.ts';

/** The calls that carry a file. */
export type UploadKey = 'POST /api/img/upload' | 'POST /api/manual/upload' | 'POST /api/machine/dbc/upload';

type Body<K extends UploadKey> = CallInput<Api[K]> extends { readonly body: infer Sent } ? Sent : never;

type UploadOptions = {
  /** From 0 to 1: how much the portal has received. At 1 it is still at work with it. */
  readonly onProgress: (done: number) => void;
  readonly signal?: AbortSignal;
};

/**
 * As `call`, for a file: fetch does not tell how far an upload is, so this is XMLHttpRequest. Rejects with ApiError, or
 * with the signal's reason when `signal` ended it.
 */
export function uploadWithProgress<K extends UploadKey>(
  key: K,
  body: Body<K>,
  { onProgress, signal }: UploadOptions,
): Promise<CallOutput<Api[K]>> {
  const [method = '', path = ''] = key.split(' ');
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.withCredentials = true;
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/json');
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => resolve(answerOf(request) as Promise<CallOutput<Api[K]>>);
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(signal?.reason ?? noAnswer());
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(JSON.stringify(body));
  });
}

async function answerOf({ status, responseText }: XMLHttpRequest): Promise<unknown> {
  if (status < 200 || status > 299) throw await problemOf(new Response(responseText, { status }));
  try {
    return JSON.parse(responseText);
  } catch (cause) {
    throw unreadable(status, cause);
  }
}
