/** One poll of the live data: what is asked, what is kept, and what is said when it fails (LIVE-02). */
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, type ApiErrorCode, noAnswer } from '#web/lib/api.ts';
import { healQueries } from '#web/lib/query-client.ts';
import { warn } from '#web/lib/warn.ts';
import { textOf } from './live-change.ts';
import type { LiveImage } from './live-image.ts';
import { type LivePoll, liveSource } from './live-source.ts';
import { liveStorage } from './live-storage.ts';

export const LIVE_KEY = ['live'] as const;
export const TROUBLE_KEY = ['live-trouble'] as const;

export const POLL_EVERY_MS = 5_000;
export const LOOK_EVERY_MS = POLL_EVERY_MS / 2;
/** Sooner after a poll there is nothing to look for. */
const LOOK_AFTER_MS = 1_500;
/** A poll that takes longer has failed: the screen may not stand still in silence. */
const POLL_TIMEOUT_MS = 15_000;
/** Most answers come sooner. A later one is stored all the same, its text made in the page. */
const ANSWERED_WITHIN_MS = 2_000;

/** Something comes first: a second factor, a password of one's own, a confirmed address. app/guard.tsx shows its page. */
const OBLIGATIONS: ReadonlySet<ApiErrorCode> = new Set([
  'second-factor-setup-required',
  'password_change_required',
  'address_unconfirmed',
]);

export type LiveTrouble = {
  /** ms; when polls began to fail. */
  readonly failingSince: number | undefined;
  /** It did answer, with a fault of its own or of what stands before it. */
  readonly isFault: true | undefined;
  /** ms; when polls last went well again after they had failed. */
  readonly backAt: number | undefined;
  /** The stored copy was given up: too large for this browser. */
  readonly storageDropped: boolean;
};
export const NO_TROUBLE: LiveTrouble = {
  failingSince: undefined,
  isFault: undefined,
  backAt: undefined,
  storageDropped: false,
};

const troubleOf = (client: QueryClient): LiveTrouble =>
  client.getQueryData<LiveTrouble>(TROUBLE_KEY) ?? NO_TROUBLE;

/** The polls fail, as far as is known. */
export const isFailing = (client: QueryClient): boolean => troubleOf(client).failingSince !== undefined;

/**
 * The newest image; the very same object when the server says that nothing changed. Rejects with ApiError; a 401
 * first calls `onSignedOut`, and that something must be done first `onObliged`. An outage is logged once, when it begins.
 */
export async function pollLive(
  client: QueryClient,
  signal: AbortSignal,
  onSignedOut: () => void,
  onObliged: () => void,
): Promise<LiveImage> {
  try {
    const { image, text } = await fetchImage(client.getQueryData<LiveImage>(LIVE_KEY), signal);
    // Between the answer and here somebody may have signed out: then nothing may be stored any more.
    signal.throwIfAborted();
    liveStorage.offer({ text: text ?? (() => textOf(image)), atMs: Date.now() });
    const wasFailing = isFailing(client);
    const backAt = wasFailing ? Date.now() : troubleOf(client).backAt;
    setTrouble(client, { ...NO_TROUBLE, backAt, storageDropped: liveStorage.isDropped() });
    if (wasFailing) healQueries(client);
    return image;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 401) onSignedOut();
    else if (error instanceof ApiError && OBLIGATIONS.has(error.code)) onObliged();
    else noteFailure(client, error);
    throw error;
  }
}

/** How long until the middle between two polls. */
export function untilNextLook(client: QueryClient): number {
  const sincePoll = sinceLastPoll(client);
  const next = sincePoll < LOOK_AFTER_MS ? LOOK_EVERY_MS : POLL_EVERY_MS + LOOK_EVERY_MS;
  return Math.max(next - sincePoll, LOOK_AFTER_MS);
}

/**
 * Half-way between two polls: whether the session is still there, so that one that was ended elsewhere shows in time.
 * By an address of its own, so that nobody takes it for a poll; what else goes wrong the next poll tells.
 */
export async function lookBetween(
  client: QueryClient,
  signal: AbortSignal,
  onSignedOut: () => void,
): Promise<void> {
  const isPolling = client.isFetching({ queryKey: LIVE_KEY }) > 0;
  if (isFailing(client) || isPolling || sinceLastPoll(client) < LOOK_AFTER_MS) return;
  const headers = { 'x-requested-with': 'werkstroom' };
  const answer = await fetch('/api/live?session', { method: 'HEAD', headers, signal }).catch(() => undefined);
  if (answer?.status === 401 && !signal.aborted) onSignedOut();
}

const sinceLastPoll = (client: QueryClient): number =>
  Date.now() - (client.getQueryState(LIVE_KEY)?.dataUpdatedAt ?? 0);

async function fetchImage(previous: LiveImage | undefined, signal: AbortSignal): Promise<LivePoll> {
  const timeout = AbortSignal.timeout(POLL_TIMEOUT_MS);
  // What is due when the answer comes must be asked for now.
  const wantsText = liveStorage.isDue(Date.now() + ANSWERED_WITHIN_MS);
  try {
    return await liveSource.poll(previous, wantsText, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw noAnswer(error);
    throw error;
  }
}

/** That the portal gives no live data, and why; logged once, when it begins. */
export function noteFailure(client: QueryClient, error: unknown): void {
  const trouble = troubleOf(client);
  const isFault = (error instanceof ApiError && error.status > 0) || undefined;
  setTrouble(client, { ...trouble, failingSince: trouble.failingSince ?? Date.now(), isFault });
  if (trouble.failingSince !== undefined) return;
  warn('The live data could not be fetched; the last data stays.', error);
}

function setTrouble(client: QueryClient, next: LiveTrouble): void {
  const now = client.getQueryData<LiveTrouble>(TROUBLE_KEY);
  const names = Object.keys(next) as (keyof LiveTrouble)[];
  if (now && names.every((name) => now[name] === next[name])) return;
  client.setQueryData(TROUBLE_KEY, next);
}
