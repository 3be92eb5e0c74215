/** The parts of a Signature V4 `Authorization` header. */
export type Authorization = {
  readonly accessKey: string;
  /** Date of the credential scope, yyyyMMdd. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  /** The credential scope: `date/region/service/aws4_request`. */
  readonly scope: string;
  /** Names of the signed headers in lower case, in the client's order. */
  readonly signedHeaders: readonly string[];
  /** The list of signed headers as sent, with `;` between names, because it is part of the canonical request. */
  readonly signedHeaderList: string;
  /** The signature: 64 hexadecimal digits in lower case. */
  readonly signature: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
const DATE = /^\d{8}$/;
/** The client chooses the region. Its length is limited, because it becomes part of cache keys and of a fixed buffer. */
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const ACCESS_KEY = /^[A-Za-z0-9_+=.@-]{1,128}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const HEADER_LIST = /^[a-z0-9_;-]{1,4096}$/;

/** Returns whether the header marks a request for the upload endpoint, even if the header cannot be parsed. */
export const hasAwsAuthorization = (header: string | undefined): boolean =>
  header?.startsWith('AWS4-') === true;

/**
 * Parses `AWS4-HMAC-SHA256 Credential=…/yyyyMMdd/region/service/aws4_request, SignedHeaders=…, Signature=…`, with the parts in
 * any order and with or without spaces; undefined for anything else. Source: AWS, "Authenticating Requests: Using the
 * Authorization Header (Signature Version 4)".
 */
export function parseAuthorization(header: string | undefined): Authorization | undefined {
  if (!header?.startsWith(ALGORITHM) || header[ALGORITHM.length] !== ' ') return undefined;
  let credential = '';
  let signedHeaderList = '';
  let signature = '';
  for (const part of header.slice(ALGORITHM.length + 1).split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    const value = part.slice(equals + 1).trim();
    if (name === 'Credential') credential = value;
    else if (name === 'SignedHeaders') signedHeaderList = value;
    else if (name === 'Signature') signature = value;
    else return undefined;
  }

  const [accessKey = '', date = '', region = '', service = '', terminator, ...rest] = credential.split('/');
  if (terminator !== 'aws4_request' || rest.length > 0) return undefined;
  if (!ACCESS_KEY.test(accessKey) || !DATE.test(date) || !REGION.test(region)) return undefined;
  if (!SIGNATURE.test(signature) || !HEADER_LIST.test(signedHeaderList)) return undefined;
  const scope = credential.slice(accessKey.length + 1);
  const signedHeaders = signedHeaderList.split(';');
  return { accessKey, date, region, service, scope, signedHeaders, signedHeaderList, signature };
}
