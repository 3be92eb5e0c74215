import type { RequestExchange } from './exchange.ts';
import { Quota } from './upload-limits.ts';

/**
 * Limits connections with a request in progress, per access key and per address. Connections that are idle between requests do
 * not count, because a proxy shares them among many loggers.
 */
export class ConnectionQuota {
  readonly #keys: Quota;
  readonly #addresses: Quota;

  constructor(limits: { readonly perKey: number; readonly perAddress: number }) {
    const total = Number.POSITIVE_INFINITY;
    this.#keys = new Quota({ perKey: limits.perKey, total });
    this.#addresses = new Quota({ perKey: limits.perAddress, total });
  }

  /**
   * Counts a connection; returns false when the limit is reached. The connection counts until the whole answer has been sent, which takes
   * long if the client does not read, or until the connection closes.
   */
  take(key: string, address: string, { request: { socket }, response }: RequestExchange): boolean {
    if (!this.#keys.take(key, 1)) return false;
    if (!this.#addresses.take(address, 1)) {
      this.#keys.release(key, 1);
      return false;
    }
    const release = (): void => {
      response.off('close', release);
      socket.off('close', release);
      this.#keys.release(key, 1);
      this.#addresses.release(address, 1);
    };
    // A client may pipeline requests: when the connection closes, Node closes the answer to the first request only. Therefore the socket is
    // observed too.
    socket.setMaxListeners(0);
    response.on('close', release);
    socket.on('close', release);
    if (socket.destroyed) release();
    return true;
  }
}
