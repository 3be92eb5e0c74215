import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect } from './fixtures.ts';

/** Uploads a DBC file for CAN bus 0 of a machine, as the signed-in person. */
export async function uploadDbc(page: Page, serial: string, dbc: string): Promise<void> {
  const file = `data:application/octet-stream;base64,${Buffer.from(dbc).toString('base64')}`;
  const data = { serial, name: 'bus.dbc', file };
  const answer = await page.request.post('/api/machine/dbc/upload', { data, headers: SCRIPT_HEADERS });
  expect(answer.status()).toBe(200);
}
