import { connectAndReadStatus, type NoiseGenerator, repeatInParallel, signedUploadHead } from './noise.ts';

export const UNFINISHED_UPLOADS = 300;
const BODY = 1024 ** 2;

/** Holds 300 uploads open that declare one byte, send nearly 1 MiB and never end. Replaces each upload that the portal refuses. */
export const holdUploadsOpen: NoiseGenerator = ({ port, loggers }, note) => {
  const chunk = Buffer.alloc(BODY - 1, 'x');
  chunk.write(`${(BODY - 200).toString(16)};chunk-signature=${'0'.repeat(64)}\r\n`);
  const headers = { 'x-amz-decoded-content-length': '1', 'content-length': String(BODY) };
  repeatInParallel(UNFINISHED_UPLOADS, (lane) => {
    const logger = loggers[lane % loggers.length];
    return new Promise((ended) => {
      if (!logger) return;
      let answered = 0;
      const socket = connectAndReadStatus(port, (status) => {
        if (answered === 0 && status !== 0) note(String(status));
        answered = status;
      });
      socket.on('close', () => ended());
      socket.on('connect', () => note('opened'));
      socket.write(
        signedUploadHead(port, logger, 'snapshot.json', headers, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'),
      );
      socket.write(chunk);
    });
  });
};
