import { TOTP } from 'otpauth';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';

type Answer = { status: number; json: Record<string, unknown> };

/** A browser of a test: it keeps the cookies that it gets, and sends them. */
export type Browser = {
  readonly cookies: Map<string, string>;
  call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, from?: string): Promise<Answer>;
  /** The password, and what is asked for besides in the same call. */
  login(email: string, more?: object, from?: string): Promise<Answer>;
};

export function browser(portal: TestPortal): Browser {
  const cookies = new Map<string, string>();
  const call: Browser['call'] = async (method, url, body, from) => {
    const answer = await portal.app.inject({
      method,
      url,
      ...(body && { payload: body }),
      ...(from !== undefined && { remoteAddress: from }),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.statusCode, json: answer.json() };
  };
  return {
    cookies,
    call,
    login: (email, more = {}, from) =>
      call('POST', '/api/auth/login', { email, password: PASSWORD, ...more }, from),
  };
}

/** What an authenticator app shows at that time. */
export const codeAt = (secret: string, ms: number): string =>
  new TOTP({ secret }).generate({ timestamp: ms });

/** Adds an authenticator app for who is signed in. @returns its secret, and recovery codes when they are the first */
export async function addApp(
  { call }: Browser,
  now: number,
  factorName = 'Telefoon',
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await call('POST', '/api/account/factors/totp');
  const { token, secret } = begun.json as { token: string; secret: string };
  const added = await call('POST', '/api/account/factors/totp/confirm', {
    token,
    factorName,
    code: codeAt(secret, now),
  });
  if (added.status !== 200) throw new Error(`Not added: ${JSON.stringify(added.json)}`);
  return { secret, recoveryCodes: (added.json as { recoveryCodes: string[] }).recoveryCodes };
}
