/** Polls the live data, stores a copy in the browser, and records the state of the connection (LIVE-02). */
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, type ApiErrorCode, noAnswerError } from '#web/lib/api.ts';
import { repeatFailedQueries } from '#web/lib/query-client.ts';
import { warn } from '#web/lib/warn.ts';
import { liveSnapshotJson } from './live-change.ts';
import type { LiveSnapshot } from './live-snapshot.ts';
import { type LivePoll, liveSource } from './live-source.ts';
import { liveStorage } from './live-storage.ts';

export const LIVE_KEY = ['live'] as const;
export const POLL_STATE_KEY = ['live-poll-state'] as const;

export const POLL_EVERY_MS = 5_000;
export const HALF_POLL_MS = POLL_EVERY_MS / 2;
/** Minimum time from a poll to a session check, because a poll checks the session too. */
const MIN_AFTER_POLL_MS = 1_500;
/** A poll that takes longer than this counts as failed, so that the screen shows the outage. */
const POLL_TIMEOUT_MS = 15_000;
/**
 * Most responses arrive within this time. The page asks the worker for the text of the response only if the copy in the
 * browser's storage is due to be written by then. A page that needs the text without having asked for it makes the text itself.
 */
const ANSWERED_WITHIN_MS = 2_000;

/**
 * Error codes with which the server asks the user first for a second factor, a new password or a confirmed address.
 * app/guard.tsx shows the pages for these.
 */
const OBLIGATIONS: ReadonlySet<ApiErrorCode> = new Set([
  'second-factor-setup-required',
  'password_change_required',
  'address_unconfirmed',
]);

export type LivePollState = {
  /** When polls began to fail, in Unix milliseconds. */
  readonly failingSince: number | undefined;
  /** The portal or a proxy responded with an error. */
  readonly isServerError: true | undefined;
  /** When polls last succeeded after failures, in Unix milliseconds. */
  readonly backAt: number | undefined;
  /** The data is too large to store in this browser. */
  readonly storageDropped: boolean;
};
export const INITIAL_POLL_STATE: LivePollState = {
  failingSince: undefined,
  isServerError: undefined,
  backAt: undefined,
  storageDropped: false,
};

const pollStateOf = (client: QueryClient): LivePollState =>
  client.getQueryData<LivePollState>(POLL_STATE_KEY) ?? INITIAL_POLL_STATE;

/** Returns whether polls fail at present. */
export const isFailing = (client: QueryClient): boolean => pollStateOf(client).failingSince !== undefined;

/**
 * Returns the newest live data, or the same object as before if nothing has changed. Rejects with ApiError, after calling
 * `onSignedOut` for a 401 and `onObliged` for an obligation of the user. Logs an outage once, when it begins.
 */
export async function pollLive(
  client: QueryClient,
  signal: AbortSignal,
  onSignedOut: () => void,
  onObliged: () => void,
): Promise<LiveSnapshot> {
  try {
    const { image, text } = await fetchImage(client.getQueryData<LiveSnapshot>(LIVE_KEY), signal);
    // The user may have signed out since the response: then nothing may be stored.
    signal.throwIfAborted();
    liveStorage.offer({ text: text ?? (() => liveSnapshotJson(image)), atMs: Date.now() });
    const wasFailing = isFailing(client);
    const backAt = wasFailing ? Date.now() : pollStateOf(client).backAt;
    setPollState(client, { ...INITIAL_POLL_STATE, backAt, storageDropped: liveStorage.isDropped() });
    if (wasFailing) repeatFailedQueries(client);
    return image;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 401) onSignedOut();
    else if (error instanceof ApiError && OBLIGATIONS.has(error.code)) onObliged();
    else recordFailedPoll(client, error);
    throw error;
  }
}

/** Returns the time until the next session check, half-way between two polls, in milliseconds. */
export function untilNextSessionCheck(client: QueryClient): number {
  const sincePoll = sinceLastPoll(client);
  const next = sincePoll < MIN_AFTER_POLL_MS ? HALF_POLL_MS : POLL_EVERY_MS + HALF_POLL_MS;
  return Math.max(next - sincePoll, MIN_AFTER_POLL_MS);
}

/**
 * Checks half-way between two polls whether the session still exists, so that a user whose session ended elsewhere is
 * signed out here sooner than by the next poll. The address of this request differs from that of a poll. Ignores errors
 * other than 401, which the next poll reports.
 */
export async function checkSessionBetweenPolls(
  client: QueryClient,
  signal: AbortSignal,
  onSignedOut: () => void,
): Promise<void> {
  const isPolling = client.isFetching({ queryKey: LIVE_KEY }) > 0;
  if (isFailing(client) || isPolling || sinceLastPoll(client) < MIN_AFTER_POLL_MS) return;
  const headers = { 'x-requested-with': 'werkstroom' };
  const answer = await fetch('/api/live?session', { method: 'HEAD', headers, signal }).catch(() => undefined);
  if (answer?.status === 401 && !signal.aborted) onSignedOut();
}

const sinceLastPoll = (client: QueryClient): number =>
  Date.now() - (client.getQueryState(LIVE_KEY)?.dataUpdatedAt ?? 0);

async function fetchImage(previous: LiveSnapshot | undefined, signal: AbortSignal): Promise<LivePoll> {
  const timeout = AbortSignal.timeout(POLL_TIMEOUT_MS);
  // Requests the text if a write to the storage is due by the time that the response arrives.
  const wantsText = liveStorage.isDue(Date.now() + ANSWERED_WITHIN_MS);
  try {
    return await liveSource.poll(previous, wantsText, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw noAnswerError(error);
    throw error;
  }
}

/** Records that the portal gives no live data, and why. Logs only the first failure of an outage. */
export function recordFailedPoll(client: QueryClient, error: unknown): void {
  const pollState = pollStateOf(client);
  const isServerError = (error instanceof ApiError && error.status > 0) || undefined;
  setPollState(client, { ...pollState, failingSince: pollState.failingSince ?? Date.now(), isServerError });
  if (pollState.failingSince !== undefined) return;
  warn('The live data could not be fetched; the last data stays.', error);
}

function setPollState(client: QueryClient, next: LivePollState): void {
  const now = client.getQueryData<LivePollState>(POLL_STATE_KEY);
  const names = Object.keys(next) as (keyof LivePollState)[];
  if (now && names.every((name) => now[name] === next[name])) return;
  client.setQueryData(POLL_STATE_KEY, next);
}
