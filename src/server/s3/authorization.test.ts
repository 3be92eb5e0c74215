import { describe, expect, test } from 'vitest';
import { hasAwsAuthorization, parseAuthorization } from './authorization.ts';

const SIGNATURE = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41';
const CREDENTIAL = 'Credential=AKIA1/20130524/eu-west-1/s3/aws4_request';

describe('parseAuthorization', () => {
  test.each([
    ['AWS', `AWS4-HMAC-SHA256 ${CREDENTIAL},SignedHeaders=host;x-amz-date,Signature=${SIGNATURE}`],
    ['SDKs', `AWS4-HMAC-SHA256 ${CREDENTIAL}, SignedHeaders=host;x-amz-date, Signature=${SIGNATURE}`],
    [
      'many spaces',
      `AWS4-HMAC-SHA256   ${CREDENTIAL} ,  SignedHeaders=host;x-amz-date , Signature=${SIGNATURE} `,
    ],
    [
      'another order',
      `AWS4-HMAC-SHA256 Signature=${SIGNATURE}, SignedHeaders=host;x-amz-date, ${CREDENTIAL}`,
    ],
  ])('the header Authorization is read as %s writes it (INGEST-01)', (_, header) => {
    expect(parseAuthorization(header)).toEqual({
      accessKey: 'AKIA1',
      date: '20130524',
      region: 'eu-west-1',
      service: 's3',
      scope: '20130524/eu-west-1/s3/aws4_request',
      signedHeaders: ['host', 'x-amz-date'],
      signedHeaderList: 'host;x-amz-date',
      signature: SIGNATURE,
    });
  });

  const whole = `AWS4-HMAC-SHA256 ${CREDENTIAL}, SignedHeaders=host, Signature=${SIGNATURE}`;
  test.each([
    ['nothing', undefined],
    ['empty', ''],
    ['Basic', 'Basic dXNlcjpwYXNz'],
    ['Signature V2', 'AWS AKIA1:frJIUN8DYpKDtOLCwo//yllqDzg='],
    ['the other algorithm', whole.replace('HMAC', 'ECDSA-P256')],
    ['no space', whole.replace('SHA256 ', 'SHA256')],
    ['only the algorithm', 'AWS4-HMAC-SHA256 '],
    ['no signature', `AWS4-HMAC-SHA256 ${CREDENTIAL}, SignedHeaders=host`],
    ['short signature', whole.slice(0, -1)],
    ['signature in capitals', whole.replace(SIGNATURE, SIGNATURE.toUpperCase())],
    ['no signed headers', whole.replace('=host', '=')],
    ['header names in capitals', whole.replace('=host', '=Host')],
    ['scope without end', whole.replace('/aws4_request', '')],
    ['scope with more', whole.replace('aws4_request', 'aws4_request/more')],
    ['date of 7 digits', whole.replace('20130524', '2013052')],
    ['region of 65', whole.replace('eu-west-1', 'r'.repeat(65))],
    ['no access key', whole.replace('AKIA1', '')],
    ['an unknown part', `${whole}, Extra=1`],
  ])('a header Authorization with %s is rejected (INGEST-03)', (_, header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });
});

test('any request with an AWS4 authorization, readable or not, is for the upload endpoint (INGEST-01)', () => {
  expect(hasAwsAuthorization('AWS4-HMAC-SHA256 nonsense')).toBe(true);
  expect(hasAwsAuthorization('Bearer AWS4-')).toBe(false);
  expect(hasAwsAuthorization(undefined)).toBe(false);
});
