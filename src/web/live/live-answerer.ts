/** Asks the portal for live data and tells what changed: the part of a poll that runs in the worker (LIVE-02). */
import { send, unreadable } from '#web/lib/api.ts';
import { changeOf } from './live-change.ts';
import { imageOf, type LiveImage } from './live-image.ts';

export type LiveQuestion = {
  /** The version of the image that the page has; undefined: none that came from here. */
  readonly base: number | undefined;
  /** The answer's text is wanted too, for the browser's store. */
  readonly wantsText: boolean;
};

/** After its slices, which come before it. */
export type LiveNews = {
  /** False: the page's image is still the newest. */
  readonly changed: boolean;
  readonly version: number;
  /** All keys in their order, when that changed. */
  readonly keys?: readonly string[];
  readonly text?: string;
};

/** Rejects with ApiError, or with the signal's reason. `onSlice` gets the slices of the change (live-change.ts). */
export type LiveAnswerer = (
  question: LiveQuestion,
  signal: AbortSignal,
  onSlice: (slice: string) => void,
) => Promise<LiveNews>;

type Memory = {
  readonly image: LiveImage;
  readonly version: number;
  readonly text: string;
  readonly etag: string | undefined;
};

/** Remembers the last answer: what the page has is not sent again. */
export function createAnswerer(): LiveAnswerer {
  let memory: Memory | undefined;
  return async ({ base, wantsText }, signal, onSlice) => {
    // The page threw an answer away, or somebody else signed in: begin anew, and forget.
    if (memory?.version !== base) memory = undefined;
    const before = memory;
    const headers = before?.etag === undefined ? {} : { 'if-none-match': before.etag };
    const response = await send('GET /api/live', { headers, signal });
    if (response.status === 304 && before) return newsOf(before, false, wantsText);
    const text = await response.text();
    const image = imageOf(text, before?.image);
    if (!image) throw unreadable(response.status);
    signal.throwIfAborted();
    const change = changeOf(image, before?.image);
    // By chance: two answerers never have the same one.
    const version = change || !before ? Math.random() : before.version;
    memory = { image, version, text, etag: response.headers.get('etag') ?? undefined };
    for (const slice of change?.slices ?? []) onSlice(slice);
    return { ...newsOf(memory, change !== undefined, wantsText), ...(change?.keys && { keys: change.keys }) };
  };
}

const newsOf = ({ version, text }: Memory, changed: boolean, wantsText: boolean): LiveNews => ({
  changed,
  version,
  ...(wantsText && { text }),
});
