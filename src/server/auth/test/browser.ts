import { TOTP } from 'otpauth';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';

type Answer = { status: number; json: Record<string, unknown> };

/** A test's browser, which keeps and sends cookies. */
export type Browser = {
  readonly cookies: Map<string, string>;
  call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, from?: string): Promise<Answer>;
  /** Signs in with the tests' password. @param more further fields of the request */
  login(email: string, more?: object, from?: string): Promise<Answer>;
};

type Request = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly cookie: string;
  readonly body: object | undefined;
  readonly from: string | undefined;
};
type Response = { readonly status: number; readonly setCookies: readonly string[]; readonly json: unknown };

export const testBrowser = (portal: TestPortal): Browser =>
  browserOf(async ({ method, url, cookie, body, from }) => {
    const answer = await portal.app.inject({
      method,
      url,
      ...(body && { payload: body }),
      ...(from !== undefined && { remoteAddress: from }),
      headers: { cookie },
    });
    return {
      status: answer.statusCode,
      setCookies: [answer.headers['set-cookie'] ?? []].flat(),
      json: answer.json(),
    };
  });

/** Returns a browser for a portal that runs as its own process at this address. */
export const testBrowserAt = (address: string): Browser =>
  browserOf(async ({ method, url, cookie, body }) => {
    const type = body && { 'content-type': 'application/json' };
    const answer = await fetch(address + url, {
      method,
      headers: { ...SCRIPT_HEADERS, cookie, ...type },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = String(answer.headers.get('content-type')).includes('json');
    return {
      status: answer.status,
      setCookies: answer.headers.getSetCookie(),
      json: isJson ? JSON.parse(text) : { text },
    };
  });

function browserOf(send: (request: Request) => Promise<Response>): Browser {
  const cookies = new Map<string, string>();
  const call: Browser['call'] = async (method, url, body, from) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, setCookies, json } = await send({ method, url, cookie, body, from });
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status, json: json as Answer['json'] };
  };
  return {
    cookies,
    call,
    login: (email, more = {}, from) =>
      call('POST', '/api/auth/login', { email, password: PASSWORD, ...more }, from),
  };
}

/** Returns the code that an authenticator app shows at that time. */
export const totpCodeAt = (secret: string, ms: number): string =>
  new TOTP({ secret }).generate({ timestamp: ms });

/** Adds an authenticator app for the signed-in person. @returns its secret, and the recovery codes when it is the first factor */
export async function addAuthenticatorApp(
  { call }: Browser,
  now: number,
  factorName = 'Telefoon',
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await call('POST', '/api/account/factors/totp');
  const { token, secret } = begun.json as { token: string; secret: string };
  const added = await call('POST', '/api/account/factors/totp/confirm', {
    token,
    factorName,
    code: totpCodeAt(secret, now),
  });
  if (added.status !== 200) throw new Error(`Not added: ${JSON.stringify(added.json)}`);
  return { secret, recoveryCodes: (added.json as { recoveryCodes: string[] }).recoveryCodes };
}
