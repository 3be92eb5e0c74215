import { parseAuthorization } from '#server/s3/authorization.ts';
import { S3Error } from '#server/s3/s3-error.ts';
import { readTarget } from '#server/s3/s3-request.ts';
import { SigningKeys } from '#server/s3/signing-key.ts';
import type { SignedMessage } from '#server/s3/sigv4.ts';
import { verifyRequest } from '#server/s3/sigv4.ts';
import { sha256, signNaively } from '#server/s3/test/naive-signer.ts';

/** AWS's own example credentials and time. */
export const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE';
export const EXAMPLE_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const TIMESTAMP = '20130524T000000Z';
export const NOW = Date.UTC(2013, 4, 24);
export const HOST = 'examplebucket.s3.amazonaws.com';
export const EMPTY_BODY_HASH = sha256('');

function message(method: string, headers: Record<string, string | string[]>): SignedMessage {
  const rawHeaders: string[] = [];
  const headersDistinct: Record<string, string[]> = {};
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) rawHeaders.push(name, one);
    headersDistinct[name] = values;
    joined[name] = values.join(', ');
  }
  return { method, headers: joined, headersDistinct, rawHeaders };
}

type Options = { now?: number; keys?: SigningKeys; secret?: string };

/** Verifies a request of AWS's example bucket at AWS's example time. */
export function verifyExampleRequest(
  method: string,
  url: string,
  headers: Record<string, string | string[]>,
  options: Options = {},
) {
  const authorization = parseAuthorization(String(headers.authorization));
  if (!authorization) throw new Error('unreadable authorization');
  const { now = NOW, keys = new SigningKeys(), secret = EXAMPLE_SECRET } = options;
  const credential = { accessKey: ACCESS_KEY, secret, loggerSerial: '0000001' };
  const target = readTarget(url, String(headers.host), 'examplebucket');
  return verifyRequest(message(method, headers), target, authorization, credential, keys, now);
}

/** Returns the code of the S3Error that `run` throws, or 'accepted'. */
export function refusalCodeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

/** Signs an upload correctly, with the given changes. */
export const signUpload = (changes: Partial<Parameters<typeof signNaively>[0]> = {}) =>
  signNaively({
    method: 'PUT',
    path: '/examplebucket/BM_SN0000001/snapshot.json',
    headers: { host: HOST },
    payloadHash: EMPTY_BODY_HASH,
    accessKey: ACCESS_KEY,
    secret: EXAMPLE_SECRET,
    timestamp: TIMESTAMP,
    ...changes,
  });
