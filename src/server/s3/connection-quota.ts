import type { Exchange } from './exchange.ts';
import { Quota } from './upload-limits.ts';

/**
 * Connections on which a request is under way, bounded per access key and per address. One that rests between two
 * requests counts for nobody: a proxy sends many loggers' requests over the same ones.
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
   * False when there is no place left. One that was taken comes back by itself: when the answer is out, which a client
   * that does not read puts off, or with the connection.
   */
  take(key: string, address: string, { request: { socket }, response }: Exchange): boolean {
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
    // A client may send requests behind one another: node closes the first one's answer with the connection, and
    // forgets the others.
    socket.setMaxListeners(0);
    response.on('close', release);
    socket.on('close', release);
    if (socket.destroyed) release();
    return true;
  }
}
