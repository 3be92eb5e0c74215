import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import { type FilesPortal, filesPortal } from './test/files-portal.ts';
import { dataUrl, pdf, testPicture } from './test/images.ts';

let portal: FilesPortal;
beforeAll(async () => {
  portal = await filesPortal();
});
afterAll(() => portal.close());

describe('access to files', () => {
  test('a file call with the hash of another file, or for an unknown machine, returns 404 (API-03, MEDIT-08, MEDIT-09)', async () => {
    await portal.machine(portal.own, { serial: 'R-1' });
    const photo = (await portal.photoTo('R-1')).json().url.split('/').at(-1) as string;
    const manual = (await portal.manualTo('R-1')).json().url.split('/').at(-1) as string;
    const wrong = [
      `img/R-1/${manual}`,
      `manual/R-1/${photo}`,
      `img/R-0/${photo}`,
      `manual/R-0/${manual}`,
      'img/R-0',
    ];
    for (const path of wrong)
      expect([path, (await portal.get(`/api/${path}`, portal.adminCookie)).statusCode]).toEqual([path, 404]);
    for (const path of ['img/upload', 'img/delete', 'manual/upload', 'manual/delete']) {
      const file = path.startsWith('img') ? await testPicture(9, 9).png().toBuffer() : pdf();
      const answer = await portal.post(`/api/${path}`, { name: 'x', serial: 'R-0', file: dataUrl(file) });
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
  });

  test('the call for the files of a machine answers null for an absent file, so that the browser reports no 404 (MDET-08, MDET-10)', async () => {
    await portal.machine(portal.own, { serial: 'N-1' });
    const files = async () => (await portal.get('/api/machine/files/N-1', portal.userCookie)).json();
    expect(await files()).toEqual({ photo: null, manual: null });
    const photo = (await portal.photoTo('N-1')).json();
    expect(await files()).toEqual({ photo, manual: null });
    const manual = (await portal.manualTo('N-1', pdf(), 'Boek.pdf')).json();
    expect(await files()).toEqual({ photo, manual: { ...manual, name: 'Boek.pdf' } });
    expect((await portal.get('/api/machine/files/N-0', portal.userCookie)).statusCode).toBe(404);
  });

  test("a request for another organization's photo gets the same answer as a request for an unknown machine (API-03)", async () => {
    await portal.machine(await portal.organization('verborgen'), { serial: 'V-1' });
    const { url } = (await portal.photoTo('V-1')).json();
    const answers = await Promise.all(
      [url, url.replace('V-1', 'V-2'), '/api/img/V-1', '/api/img/V-2'].map((path) =>
        portal.get(path, portal.userCookie),
      ),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect((await portal.get(url, portal.adminCookie)).statusCode).toBe(200);
  });

  test('a serial number or hash with a NUL character, which PostgreSQL cannot read, returns 400 (API-03)', async () => {
    for (const url of ['/api/img/%00', '/api/manual/a%00b', '/api/img/R-1/%00', '/api/manual/R-1/%00']) {
      expect([url, (await portal.get(url, portal.userCookie)).statusCode]).toEqual([url, 400]);
    }
    for (const url of ['/api/img/upload', '/api/manual/upload', '/api/img/delete', '/api/manual/delete']) {
      const answer = await portal.post(url, { serial: 'R\0', name: '\0', file: dataUrl(pdf()) });
      expect([url, answer.statusCode]).toEqual([url, 400]);
    }
    const endless = 'é'.repeat(64);
    expect((await portal.get(`/api/img/${encodeURIComponent(endless)}`, portal.userCookie)).statusCode).toBe(
      404,
    );
  });

  test('the files of a machine that is sold go to the new owner (INGEST-06, API-02)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'R-2' });
    const { url } = (await portal.photoTo('R-2')).json();
    await moveStream(portal.pool, streamId, await portal.organization('koper'), new Date());
    expect((await portal.get(url, portal.userCookie)).statusCode).toBe(404);
    expect((await portal.get(url, portal.adminCookie)).statusCode).toBe(200);
  });

  test('a deleted machine has no files, and neither has a restored one (API-05)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'R-3' });
    const { url } = (await portal.photoTo('R-3')).json();
    await portal.manualTo('R-3');
    await portal.pool.query('update stream set deleted_at = now() where id = $1', [streamId]);
    expect((await portal.get(url, portal.userCookie)).statusCode).toBe(404);
    expect((await portal.photoTo('R-3')).statusCode).toBe(404);
    expect(await portal.filesOf(streamId)).toEqual([]);
    await portal.pool.query('update stream set deleted_at = null where id = $1', [streamId]);
    expect((await portal.get(url, portal.userCookie)).statusCode).toBe(404);
  });

  test('an upload during the deletion of its machine leaves nothing behind (API-05)', async () => {
    const streamId = await portal.machine(portal.own, { serial: 'R-4' });
    const client = await portal.pool.connect();
    await client.query('begin');
    await client.query('update stream set deleted_at = now() where id = $1', [streamId]);
    const waiting = portal.manualTo('R-4');
    await waitForLockWaits(portal.pool);
    await client.query('commit');
    client.release();
    expect((await waiting).statusCode).toBe(404);
    expect(await portal.filesOf(streamId)).toEqual([]);
  });

  test("the deletion of a stream's row deletes its files, and an LMB logger has none (API-05)", async () => {
    const streamId = await portal.machine(portal.own, { serial: 'R-5' });
    await portal.manualTo('R-5');
    await portal.pool.query('delete from machine where stream_id = $1', [streamId]);
    await portal.pool.query('delete from ownership where stream_id = $1', [streamId]);
    await portal.pool.query('delete from stream where id = $1', [streamId]);
    expect(await portal.filesOf(streamId)).toEqual([]);
    await portal.pool.query(
      `with s as (insert into stream (kind, serial, alias) values ('logger', 'L-1', 'Spoor') returning id)
       insert into ownership (stream_id, organization_id) select id, $1 from s`,
      [portal.own],
    );
    expect((await portal.manualTo('L-1')).statusCode).toBe(404);
  });
});
