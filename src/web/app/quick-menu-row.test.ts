import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { LiveEntry } from '#shared/contract/live.ts';
import { entryPath } from '#web/machines/page-path.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { QuickMenuRow } from './quick-menu-row.tsx';

const NOW_MS = Date.UTC(2026, 10, 20, 13, 0);
const SEEN_NOW = { GMT_UNIX: NOW_MS / 1000 };

function row(entry: LiveEntry): string {
  const to = entryPath(entry.metadata, [entry]);
  const element = createElement(QuickMenuRow, { entry, to, nowMs: NOW_MS, onChoose: () => undefined });
  return renderToStaticMarkup(createElement(MemoryRouter, null, element));
}

test('APP-09 a row shows brand, model, alias, the average of the batteries and the status, and links to the page', () => {
  const html = row(aLiveEntry('VO-1', { ...SEEN_NOW, Soc1: 80, Soc2: 61, MotorSpeed: 151 }));
  expect(html).toContain('href="/machine/VO-1"');
  for (const text of ['Volvo ECR25', 'Graver VO-1', '71%', 'Draait']) expect(html).toContain(text);
});

test.each([
  ['Laden', { IsCharging1: 1, ChargingCurrent: 2 }],
  ['Draait', { MotorSpeed: 200 }],
  ['Uit', {}],
])('APP-09 the dot says %s in words too', (label, signals) => {
  expect(row(aLiveEntry('A', { ...SEEN_NOW, ...signals }))).toContain(`aria-label="${label}"`);
});

test('54.5b a row of a machine that never reported says only that it was never seen', () => {
  const never = row(aLiveEntry('A', { GMT_UNIX: 0 }));
  expect(never).toContain('data-stale="true"');
  expect(never).toContain('aria-label="Nog nooit gezien"');
  expect(never).not.toMatch(/Stil|laatst|Uit/i);
});

test('LIVE-07 a stale row looks stale and says when it was last seen', () => {
  const stale = row(aLiveEntry('A', { GMT_UNIX: NOW_MS / 1000 - 601 }));
  expect(stale).toContain('data-stale="true"');
  expect(stale).toContain('Laatst gezien: vandaag, 13:49');
  expect(row(aLiveEntry('A', { GMT_UNIX: NOW_MS / 1000 - 600 }))).not.toContain('Laatst gezien');
});
