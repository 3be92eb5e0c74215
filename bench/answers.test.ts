import { expect, test } from 'vitest';
import { HttpResponseReader } from './answers.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nETag: "x"\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab\r\n\r',
  'HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n',
  'HTTP/1.1 503 Slow Down\r\nContent-Length: 1\r\n\r\n!',
];
const expected = answers.map((text) => [Number(text.slice(9, 12)), text.length]);

test.each([1, 2, 3, 7, 50, 1000])(
  'HttpResponseReader separates answers that arrive %d bytes at a time',
  (size) => {
    const seen: number[][] = [];
    const reader = new HttpResponseReader((status, bytes) => seen.push([status, bytes]));
    const bytes = Buffer.from(answers.join(''));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(seen).toEqual(expected);
  },
);
