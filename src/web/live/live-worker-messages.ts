/** What the page and the worker of the live data say to each other. */
import type { ApiError } from '#web/lib/api.ts';
import type { LiveNews, LiveQuestion } from './live-answerer.ts';

/** A question, or without one: the question with that number is no longer of interest. */
export type ToWorker = { readonly id: number; readonly question?: LiveQuestion };

/** Slices, then either news or a problem. */
export type FromWorker = {
  readonly id: number;
  readonly slice?: string;
  readonly news?: LiveNews;
  readonly problem?: Pick<ApiError, 'status' | 'code' | 'message' | 'fromServer'>;
};
