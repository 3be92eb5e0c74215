/**
 * The first words of the addresses of pages, in lower case, since the router does not care. Whatever else is asked of the
 * portal (calls, tiles, loggers' buckets, files that are taken along) is not the service worker's business.
 */
export const PAGES: ReadonlySet<string> = new Set([
  '',
  'account',
  'bevestigen',
  'lmb-logging',
  'logboek',
  'machine',
  'meldingen',
  'onderhoud',
  'organization',
  'overzicht',
  'projecten',
  'rapporten',
  'signin',
  'test',
  'uitnodiging',
  'users',
  'vergelijk',
]);

/** What the names of the copies in the browser's cache begin with. */
export const COPIES = 'werkstroom ';

/** A file whose name has its hash in it, a page, or what goes its own way. */
export type Kind = 'asset' | 'page' | 'other';

type Asked = Pick<Request, 'method' | 'mode' | 'url'> & { readonly headers: Pick<Headers, 'has'> };

/** @param origin the portal's own */
export function kindOf({ method, mode, url, headers }: Asked, origin: string): Kind {
  const { origin: from, pathname, searchParams } = new URL(url);
  const isPlain =
    method === 'GET' && from === origin && !headers.has('authorization') && !headers.has('range');
  // A signature stands in a header, or in the address.
  const isSigned = [...searchParams.keys()].some((name) => /^x-amz-/i.test(name));
  if (!isPlain || isSigned) return 'other';
  const [first = ''] = pathname.slice(1).split('/');
  if (mode === 'navigate') return PAGES.has(first.toLowerCase()) ? 'page' : 'other';
  return first === 'assets' ? 'asset' : 'other';
}
