/** Pages come as chunks of their own; this says so when one does not come (APP-11). */
import { type ComponentType, createElement, lazy, type ReactNode, useState } from 'react';

/** APP-11. */
export const CHUNK_TIMEOUT_MS = 120_000;

/** The message is APP-11's. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
  constructor(chunk: string, cause?: unknown) {
    super(`Loading chunk ${chunk} failed`, { cause });
  }
}

/** Loads a chunk. Rejects with ChunkError when it fails or is not there in `timeoutMs`. */
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

/** A component in a chunk of its own, and how to fetch that chunk before it is drawn. */
export type ChunkPage = { readonly Component: ComponentType; readonly preload: () => void };

export function chunkPage(name: string, load: () => Promise<ComponentType>): ChunkPage {
  let loading: Promise<{ default: ComponentType }> | undefined;
  let loaded: ComponentType | undefined;
  const once = (): Promise<{ default: ComponentType }> => {
    loading ??= loadChunk(name, load).then((component) => {
      loaded = component;
      return { default: component };
    });
    // What was fetched early and failed is tried again when it is drawn.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const Awaited = lazy(once);
  /** React shows what it had to wait for 300 ms after its fallback at the soonest: what is there is not waited for. */
  const Component = (): ReactNode => {
    const [Page] = useState<ComponentType>(() => loaded ?? Awaited);
    return createElement(Page);
  };
  // A failure is shown where the component is drawn, not here.
  return { Component, preload: () => void once().catch(() => undefined) };
}

const failedPreloads = new WeakSet<object>();

/** Remembers what Vite itself could not load (a style sheet, a chunk that a page asks for later). */
export function watchPreloads(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => failedPreloads.add(payload));
}

/** What browsers say of a failed import(): Chrome and Edge, Firefox, Safari. */
const IMPORT_FAILURES = /dynamically imported module|Importing a module script failed/i;

/** Section 8's message when `error` is a chunk that did not load, else undefined. */
export function chunkFailure(error: unknown): string | undefined {
  if (error instanceof ChunkError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const failed = failedPreloads.has(error) || IMPORT_FAILURES.test(error.message);
  return failed ? 'Loading chunk failed' : undefined;
}
