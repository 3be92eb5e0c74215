import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { type FilesPortal, filesPortal } from './test/files-portal.ts';
import { dataUrl, hugePng, pdf, phonePhoto, testPicture } from './test/images.ts';

let portal: FilesPortal;
beforeAll(async () => {
  portal = await filesPortal();
});
afterAll(() => portal.close());

describe('a photo', () => {
  test('an uploaded photo can be fetched at once, at an address that never shows another photo (MEDIT-08, MDET-10)', async () => {
    await portal.machine(portal.own, { serial: 'F 1.é' });
    expect((await portal.get('/api/img/F%201.%C3%A9', portal.userCookie)).json()).toEqual({
      code: 'not_found',
      message: 'Afbeelding onbeschikbaar',
    });
    const uploaded = await portal.photoTo('F 1.é');
    expect([uploaded.statusCode, uploaded.json()]).toEqual([200, { url: expect.any(String) }]);
    const { url } = uploaded.json();
    expect((await portal.get('/api/img/F%201.%C3%A9', portal.userCookie)).json()).toEqual({ url });

    const shown = await portal.get(url, portal.userCookie);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('cookie'),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-disposition': `inline; filename="F 1.e.webp"; filename*=UTF-8''F%201.%C3%A9.webp`,
      'content-length': String(shown.rawPayload.length),
    });
    expect(url).toBe(`/api/img/F%201.%C3%A9/${createHash('sha256').update(shown.rawPayload).digest('hex')}`);
    const kept = await sharp(shown.rawPayload).metadata();
    expect(kept).toMatchObject({ format: 'webp', width: 480, height: 640 });
    expect(kept.exif).toBeUndefined();
  });

  test('the address of a replaced photo returns 404, and the uploads of both photos are in the audit log (MEDIT-08)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'F-2' });
    const first = (await portal.photoTo('F-2')).json().url;
    const second = (await portal.photoTo('F-2', await testPicture(100, 100).png().toBuffer())).json().url;
    expect(second).not.toBe(first);
    expect((await portal.get(first, portal.userCookie)).statusCode).toBe(404);
    expect((await portal.get(second, portal.userCookie)).statusCode).toBe(200);
    expect(await portal.filesOf(streamId)).toHaveLength(1);
    const { rows } = await portal.pool.query(
      `select actor, action, data ->> 'hash' as hash from ${AUDIT_ROWS_SQL} where subject = 'F-2' order by id`,
    );
    expect(rows).toEqual(
      [first, second].map((url: string) => ({
        actor: 'beheer@werkstroom.nl',
        action: 'photo.upload',
        hash: url.split('/').at(-1),
      })),
    );
  });

  test('twenty simultaneous replacements leave exactly one whole photo (MEDIT-08)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'F-3' });
    const sizes = Array.from({ length: 20 }, (_, n) => 20 + n);
    const answers = await Promise.all(
      sizes.map(async (side) => portal.photoTo('F-3', await testPicture(side, side).png().toBuffer())),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(sizes.map(() => 200));
    const [file] = await portal.filesOf(streamId);
    const shown = await portal.get(`/api/img/F-3/${file?.hash}`, portal.userCookie);
    expect(createHash('sha256').update(shown.rawPayload).digest('hex')).toBe(file?.hash);
  });

  test('a second request to delete a photo succeeds and changes nothing (MEDIT-08, API-05)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'F-4' });
    const { url } = (await portal.photoTo('F-4')).json();
    for (let click = 0; click < 2; click++) {
      const answer = await portal.post('/api/img/delete', { serial: 'F-4' });
      expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'De foto is verwijderd.' }]);
    }
    expect((await portal.get(url, portal.userCookie)).statusCode).toBe(404);
    expect(await portal.filesOf(streamId)).toEqual([]);
    const { rows } = await portal.pool.query(
      `select action from ${AUDIT_ROWS_SQL} where subject = 'F-4' order by id`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['photo.upload', 'photo.delete']);
  });

  test.each([
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400],
    ['a PDF', () => pdf(), 400],
    ['20,000 x 20,000 pixels', () => hugePng(20_000, 20_000), 413],
    ['an image cut short', async () => (await phonePhoto()).subarray(0, 1_500), 400],
  ])('%s called .png is rejected, and the stored photo stays (MEDIT-08, API-03)', async (_, make, status) => {
    const serial = `B-${Math.random().toString(36).slice(2)}`;
    await portal.machine(portal.own, { serial });
    const { url } = (await portal.photoTo(serial)).json();
    const file = dataUrl(await make(), 'image/png');
    const answer = await portal.post('/api/img/upload', { name: 'foto.png', serial, file });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().message).toMatch(/^(Dit bestand|Deze foto) is .+\./);
    expect((await portal.get(url, portal.userCookie)).statusCode).toBe(200);
  });

  test('an invalid or truncated data URL is rejected (MEDIT-08, API-03)', async () => {
    await portal.machine(portal.own, { serial: 'F-5' });
    for (const file of [
      '',
      'foto.png',
      'data:image/png,x',
      'data:image/png;base64,AAA',
      'data:image/png;base64,',
    ]) {
      const answer = await portal.post('/api/img/upload', { name: 'x', serial: 'F-5', file });
      expect([file, answer.statusCode, answer.json().code]).toEqual([file, 400, 'invalid']);
    }
  });
});
