import { createElement, Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CHUNK_TIMEOUT_MS, ChunkError, chunkFailureMessage, chunkPage, loadChunk } from './chunk.ts';

describe('loadChunk', () => {
  test('resolves with the chunk (APP-11)', async () => {
    expect(await loadChunk('home', async () => 'the page')).toBe('the page');
  });

  test('rejects with the name of a chunk that fails to load, and the cause of the failure (APP-11)', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
    const failed = loadChunk('home', () => Promise.reject(cause));
    await expect(failed).rejects.toThrow('Loading chunk home failed');
    await expect(failed).rejects.toMatchObject({ cause });
  });

  test('rejects when a chunk does not arrive within the timeout (APP-11)', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(loadChunk('home', () => never, 1)).rejects.toThrow('Loading chunk home failed');
    expect(CHUNK_TIMEOUT_MS).toBe(120_000);
  });
});

test('a preloaded page is rendered at once, without the Suspense fallback (15.1k)', async () => {
  const { Component, preload } = chunkPage('home', async () => () => 'the page');
  const drawn = () =>
    renderToStaticMarkup(createElement(Suspense, { fallback: 'waiting' }, createElement(Component)));
  expect(drawn()).toContain('waiting');
  preload();
  await new Promise((done) => setTimeout(done));
  expect(drawn()).toBe('the page');
});

test.each([
  ['ours', new ChunkError('home'), 'Loading chunk home failed'],
  ['Chrome', new TypeError('Failed to fetch dynamically imported module: x'), 'Loading chunk failed'],
  ['Firefox', new TypeError('error loading dynamically imported module: x'), 'Loading chunk failed'],
  ['Safari', new TypeError('Importing a module script failed.'), 'Loading chunk failed'],
  ['an error of a page', new TypeError('x is undefined'), undefined],
  ['no error at all', 'Loading', undefined],
])('a failed chunk is distinguished from other errors: %s (APP-11)', (_, error, message) => {
  expect(chunkFailureMessage(error)).toBe(message);
});
