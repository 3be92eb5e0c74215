/** Loads each page as a chunk, and recognizes chunks that do not load (APP-11). */
import { type ComponentType, createElement, lazy, type ReactNode, useState } from 'react';

/** Time after which a chunk counts as failed (APP-11). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** Error of a chunk that did not load. Requirement APP-11 prescribes the message of this error. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
  constructor(chunk: string, cause?: unknown) {
    super(`Loading chunk ${chunk} failed`, { cause });
  }
}

/** Loads a chunk. Rejects with ChunkError when it fails or does not arrive within `timeoutMs`. */
export async function loadChunk<T>(
  name: string,
  load: () => Promise<T>,
  timeoutMs = CHUNK_TIMEOUT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError(name)), timeoutMs);
  });
  try {
    return await Promise.race([load(), tooLate]);
  } catch (cause) {
    throw cause instanceof ChunkError ? cause : new ChunkError(name, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** A page whose component is in a chunk of its own; `preload` fetches that chunk before the component is rendered. */
export type ChunkPage = { readonly Component: ComponentType; readonly preload: () => void };

/** Returns a page whose component is in the chunk that `load` imports. */
export function chunkPage(name: string, load: () => Promise<ComponentType>): ChunkPage {
  let loading: Promise<{ default: ComponentType }> | undefined;
  let loaded: ComponentType | undefined;
  const once = (): Promise<{ default: ComponentType }> => {
    loading ??= loadChunk(name, load).then((component) => {
      loaded = component;
      return { default: component };
    });
    // Allows another attempt after a failed preload: rendering the component loads the chunk again.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const Awaited = lazy(once);
  /**
   * Renders an already loaded page without `lazy`, because React shows the fallback of a lazy component for at least
   * 300 ms.
   */
  const Component = (): ReactNode => {
    const [Page] = useState<ComponentType>(() => loaded ?? Awaited);
    return createElement(Page);
  };
  // Ignores a failed preload: rendering the component loads the chunk again, and shows the error if that fails too.
  return { Component, preload: () => void once().catch(() => undefined) };
}

const failedPreloads = new WeakSet<object>();

/** Starts to collect Vite's errors of files that did not load (a style sheet, a chunk that a page imports later). */
export function watchPreloads(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => failedPreloads.add(payload));
}

/** Matches the messages of a failed import() in Chrome, Edge, Firefox and Safari. */
const IMPORT_FAILURES = /dynamically imported module|Importing a module script failed/i;

/** Returns the message to show if `error` is a chunk that did not load, else undefined. */
export function chunkFailureMessage(error: unknown): string | undefined {
  if (error instanceof ChunkError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const failed = failedPreloads.has(error) || IMPORT_FAILURES.test(error.message);
  return failed ? 'Loading chunk failed' : undefined;
}
