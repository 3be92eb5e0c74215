/** Acts as a person's browser at the provider: follows redirects, enters the subject, and is redirected back. */
export type ProviderVisitor = {
  /**
   * Returns the portal's address to which the provider redirects.
   * @param as the subject with which the person signs in; undefined: the person cancels
   */
  visit(url: string, as: string | undefined): Promise<string>;
};

/** Returns a browser that keeps its cookies, so that the provider asks its person to sign in only once. */
export function newProviderVisitor(): ProviderVisitor {
  const jar = new Map<string, string>();
  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  return {
    async visit(url, as) {
      const { origin } = new URL(url);
      let at = url;
      let answer = await send(at);
      for (let hop = 0; hop < 10; hop++) {
        const to = answer.headers.get('location');
        if (to !== null) {
          at = new URL(to, at).href;
          if (new URL(at).origin !== origin) return at;
          answer = await send(at);
        } else if (at.includes('/interaction/')) {
          const body = new URLSearchParams(as === undefined ? { cancel: '1' } : { who: as, ok: '1' });
          answer = await send(at, { method: 'POST', body });
        } else break;
      }
      throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
    },
  };
}
