import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_MANUAL_BYTES } from '#shared/contract/machine-files.ts';
import { type FilesPortal, filesPortal } from './test/files-portal.ts';
import { pdf } from './test/images.ts';

let portal: FilesPortal;
beforeAll(async () => {
  portal = await filesPortal();
});
afterAll(() => portal.close());

describe('a manual', () => {
  test('a manual opens in a tab, under its own name (MEDIT-09, MDET-08)', async () => {
    await portal.machine(portal.own, { serial: 'M-1' });
    expect((await portal.get('/api/manual/M-1', portal.userCookie)).json().message).toBe(
      'Handleiding onbeschikbaar',
    );
    const bytes = pdf('Kraan');
    const uploaded = await portal.manualTo('M-1', bytes, '..\\één <kraan>.PDF');
    expect([uploaded.statusCode, uploaded.json()]).toEqual([
      200,
      { url: expect.any(String), size: bytes.length },
    ]);
    const { url } = uploaded.json();
    expect((await portal.get('/api/manual/M-1', portal.userCookie)).json()).toEqual({
      url,
      name: 'één _kraan_.pdf',
      size: bytes.length,
    });
    const shown = await portal.get(url, portal.userCookie);
    expect(shown.rawPayload.equals(bytes)).toBe(true);
    expect(shown.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="een _kraan_.pdf"; filename*=UTF-8''%C3%A9%C3%A9n%20_kraan_.pdf`,
    });
    expect(shown.headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(shown.headers['content-security-policy']).not.toContain('sandbox');
  });

  test('a manual of exactly 25 MB is accepted, and a larger one is rejected (MEDIT-09)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'M-2' });
    const whole = await portal.manualTo('M-2', pdf('Groot', MAX_MANUAL_BYTES));
    expect([whole.statusCode, whole.json().size]).toEqual([200, MAX_MANUAL_BYTES]);
    for (const more of [1, 1_000, 1_000_000]) {
      const answer = await portal.manualTo('M-2', pdf('Groot', MAX_MANUAL_BYTES + more));
      expect([more, answer.statusCode, answer.json()]).toEqual([
        more,
        413,
        { code: 'too_large', message: expect.stringMatching(/te groot/) },
      ]);
    }
    expect((await portal.filesOf(streamId))[0]?.hash).toBe(whole.json().url.split('/').at(-1));
  });

  test('an HTML page named .pdf is rejected as a manual, and the deletion of a manual is audited (MEDIT-09, API-03)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'M-3' });
    const page = await portal.manualTo('M-3', Buffer.from('<!doctype html><p>Handleiding'));
    expect([page.statusCode, page.json().message]).toEqual([
      400,
      'Dit bestand is geen PDF. Kies een handleiding in PDF.',
    ]);
    await portal.manualTo('M-3');
    expect((await portal.post('/api/manual/delete', { serial: 'M-3' })).statusCode).toBe(200);
    expect(await portal.filesOf(streamId)).toEqual([]);
  });
});
