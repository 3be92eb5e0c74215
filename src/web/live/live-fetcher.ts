/** Fetches the live data and returns what changed. Polls run this code in the worker (LIVE-02). */
import { sendRequest, unreadableAnswerError } from '#web/lib/api.ts';
import { liveChangeOf } from './live-change.ts';
import { type LiveSnapshot, parseLiveSnapshot } from './live-snapshot.ts';

export type LiveRequest = {
  /** Version of the live data that the page has; undefined if the page has none, or did not get them from this fetcher. */
  readonly base: number | undefined;
  /** Also return the text of the response, for the browser's storage. */
  readonly wantsText: boolean;
};

/** The result of a poll, returned after `onSlice` was called with the changed entries. */
export type LiveUpdate = {
  /** False if the live data that the page has are still the newest. */
  readonly changed: boolean;
  readonly version: number;
  /** All keys in their order; absent if keys and order are unchanged. */
  readonly keys?: readonly string[];
  readonly text?: string;
};

/**
 * Fetches once. Rejects with ApiError, or with the signal's reason. Calls `onSlice` with each part of the changed entries, as text
 * (format: live-change.ts).
 */
export type LiveFetcher = (
  request: LiveRequest,
  signal: AbortSignal,
  onSlice: (slice: string) => void,
) => Promise<LiveUpdate>;

type Memory = {
  readonly image: LiveSnapshot;
  readonly version: number;
  readonly text: string;
  readonly etag: string | undefined;
};

/** Returns a function that remembers the last response, and with each request delivers only the changes since that response. */
export function createLiveFetcher(): LiveFetcher {
  let memory: Memory | undefined;
  return async ({ base, wantsText }, signal, onSlice) => {
    // The page does not have the last response (the page discarded it, or another user signed in): deliver
    // everything.
    if (memory?.version !== base) memory = undefined;
    const before = memory;
    const headers = before?.etag === undefined ? {} : { 'if-none-match': before.etag };
    const response = await sendRequest('GET /api/live', { headers, signal });
    if (response.status === 304 && before) return updateOf(before, false, wantsText);
    const text = await response.text();
    const image = parseLiveSnapshot(text, before?.image);
    if (!image) throw unreadableAnswerError(response.status);
    signal.throwIfAborted();
    const change = liveChangeOf(image, before?.image);
    // Random, so that the versions of two fetchers differ.
    const version = change || !before ? Math.random() : before.version;
    memory = { image, version, text, etag: response.headers.get('etag') ?? undefined };
    for (const slice of change?.slices ?? []) onSlice(slice);
    return {
      ...updateOf(memory, change !== undefined, wantsText),
      ...(change?.keys && { keys: change.keys }),
    };
  };
}

const updateOf = ({ version, text }: Memory, changed: boolean, wantsText: boolean): LiveUpdate => ({
  changed,
  version,
  ...(wantsText && { text }),
});
