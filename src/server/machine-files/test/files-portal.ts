import type { LightMyRequestResponse } from 'fastify';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { dataUrl, pdf, phonePhoto } from './images.ts';

/** A portal with an administrator, a customer and the customer's user, and with functions by which the administrator uploads files. */
export type FilesPortal = TestPortal & {
  readonly adminCookie: string;
  readonly userCookie: string;
  /** Id of the customer's organization. */
  readonly own: number;
  /** Posts as the administrator. */
  post(url: string, payload: object): Promise<LightMyRequestResponse>;
  photoTo(serial: string, bytes?: Buffer): Promise<LightMyRequestResponse>;
  manualTo(serial: string, bytes?: Buffer, name?: string): Promise<LightMyRequestResponse>;
  /** Returns the stored files of a stream. */
  filesOf(streamId: number): Promise<{ kind: string; name: string; size: number; hash: string }[]>;
};

export async function filesPortal(): Promise<FilesPortal> {
  const portal = await testPortal();
  const own = await portal.organization('klant');
  await portal.user('beheer@werkstroom.nl', await portal.organization('admin'));
  await portal.user('gebruiker@klant.nl', own);
  const adminCookie = await portal.login('beheer@werkstroom.nl');
  const post = (url: string, payload: object) =>
    portal.app.inject({ method: 'POST', url, payload, headers: { cookie: adminCookie } });
  return {
    ...portal,
    adminCookie,
    userCookie: await portal.login('gebruiker@klant.nl'),
    own,
    post,
    photoTo: async (serial, bytes) =>
      post('/api/img/upload', { name: 'x.png', serial, file: dataUrl(bytes ?? (await phonePhoto())) }),
    manualTo: (serial, bytes = pdf(), name = 'Handleiding.pdf') =>
      post('/api/manual/upload', { name, serial, file: dataUrl(bytes), size: bytes.length }),
    async filesOf(streamId) {
      const { rows } = await portal.pool.query(
        'select kind, name, size, hash from machine_file where stream_id = $1',
        [streamId],
      );
      return rows;
    },
  };
}
