import { createElement, Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CHUNK_TIMEOUT_MS, ChunkError, chunkFailure, chunkPage, loadChunk } from './chunk.ts';

describe('loadChunk', () => {
  test('APP-11 answers the chunk', async () => {
    expect(await loadChunk('home', async () => 'the page')).toBe('the page');
  });

  test('APP-11 a chunk that fails says so in its own words, with its cause', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
    const failed = loadChunk('home', () => Promise.reject(cause));
    await expect(failed).rejects.toThrow('Loading chunk home failed');
    await expect(failed).rejects.toMatchObject({ cause });
  });

  test('APP-11 a chunk that does not come in time is one that fails', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(loadChunk('home', () => never, 1)).rejects.toThrow('Loading chunk home failed');
    expect(CHUNK_TIMEOUT_MS).toBe(120_000);
  });
});

test('15.1k a page that was fetched before it is drawn is not waited for', async () => {
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
])('APP-11 told apart from other errors: %s', (_, error, message) => {
  expect(chunkFailure(error)).toBe(message);
});
