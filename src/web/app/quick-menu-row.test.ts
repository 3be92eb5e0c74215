import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { LiveEntry } from '#shared/contract/live.ts';
import { machineOrLoggerPath } from '#web/machines/page-path.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { QuickMenuRow } from './quick-menu-row.tsx';

const NOW_MS = Date.UTC(2026, 10, 20, 13, 0);
const SEEN_NOW = { GMT_UNIX: NOW_MS / 1000 };

function row(entry: LiveEntry): string {
  const to = machineOrLoggerPath(entry.metadata, [entry]);
  const element = createElement(QuickMenuRow, { entry, to, nowMs: NOW_MS, onChoose: () => undefined });
  return renderToStaticMarkup(createElement(MemoryRouter, null, element));
}

test('a row shows brand, model, alias, average battery level and status, and links to the machine’s page (APP-09)', () => {
  const html = row(aLiveEntry('VO-1', { ...SEEN_NOW, Soc1: 80, Soc2: 61, MotorSpeed: 151 }));
  expect(html).toContain('href="/machine/VO-1"');
  for (const text of ['Volvo ECR25', 'Graver VO-1', '71%', 'Draait']) expect(html).toContain(text);
});

test.each([
  ['Laden', { IsCharging1: 1, ChargingCurrent: 2 }],
  ['Draait', { MotorSpeed: 200 }],
  ['Uit', {}],
])('the icon of a row has the label %s (APP-09)', (label, signals) => {
  expect(row(aLiveEntry('A', { ...SEEN_NOW, ...signals }))).toContain(`aria-label="${label}"`);
});

test('a row of a machine that never reported shows only that it was never seen (54.5b)', () => {
  const never = row(aLiveEntry('A', { GMT_UNIX: 0 }));
  expect(never).toContain('data-stale="true"');
  expect(never).toContain('aria-label="Nog nooit gezien"');
  expect(never).not.toMatch(/Stil|laatst|Uit/i);
});

test('a stale row is marked as stale and shows when the machine was last seen (LIVE-07)', () => {
  const stale = row(aLiveEntry('A', { GMT_UNIX: NOW_MS / 1000 - 601 }));
  expect(stale).toContain('data-stale="true"');
  expect(stale).toContain('Laatst gezien: vandaag, 13:49');
  expect(row(aLiveEntry('A', { GMT_UNIX: NOW_MS / 1000 - 600 }))).not.toContain('Laatst gezien');
});
