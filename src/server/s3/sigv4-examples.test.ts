import { describe, expect, test } from 'vitest';
import { sha256 } from './test/naive-signer.ts';
import {
  ACCESS_KEY,
  EMPTY_BODY_HASH,
  HOST,
  signUpload,
  TIMESTAMP,
  verifyExampleRequest,
} from './test/verification.ts';

describe('examples of the AWS documentation ("Using the Authorization Header", Examples)', () => {
  const examples = [
    {
      name: 'GET Object',
      method: 'GET',
      url: '/test.txt',
      headers: { range: 'bytes=0-9' },
      payloadHash: EMPTY_BODY_HASH,
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      name: 'PUT Object',
      method: 'PUT',
      url: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      payloadHash: sha256('Welcome to Amazon S3.'),
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      name: 'GET Bucket Lifecycle',
      method: 'GET',
      url: '/?lifecycle',
      headers: {},
      payloadHash: EMPTY_BODY_HASH,
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      name: 'Get Bucket (List Objects)',
      method: 'GET',
      url: '/?max-keys=2&prefix=J',
      headers: {},
      payloadHash: EMPTY_BODY_HASH,
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ];

  test.each(examples)('$name: accepts the documented signature (INGEST-01)', (example) => {
    const { method, url, payloadHash, signature } = example;
    const headers: Record<string, string> = {
      ...example.headers,
      host: HOST,
      'x-amz-content-sha256': payloadHash,
      'x-amz-date': TIMESTAMP,
    };
    const names = Object.keys(headers).sort().join(';');
    const authorization =
      `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/20130524/us-east-1/s3/aws4_request,` +
      `SignedHeaders=${names},Signature=${signature}`;
    expect(verifyExampleRequest(method, url, { ...headers, authorization })).toMatchObject({
      signature,
      timestamp: TIMESTAMP,
    });

    const [path = '', query = ''] = url.split('?');
    const canonicalQuery = query === 'lifecycle' ? 'lifecycle=' : query;
    const naive = signUpload({
      method,
      path,
      query: canonicalQuery,
      headers: { ...example.headers, host: HOST },
      payloadHash,
    });
    expect(naive.signature).toBe(signature);
  });
});
