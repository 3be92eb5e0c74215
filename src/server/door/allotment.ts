/** Something scarce (open spool files, bytes in memory), shared out per key and in total. */
export class Allotment {
  readonly #perKey: number;
  readonly #total: number;
  readonly #taken = new Map<string, number>();
  #takenTotal = 0;

  constructor(limits: { readonly perKey: number; readonly total: number }) {
    this.#perKey = limits.perKey;
    this.#total = limits.total;
  }

  /** False when there is not enough left; nothing is taken then. */
  take(key: string, amount: number): boolean {
    const mine = (this.#taken.get(key) ?? 0) + amount;
    if (mine > this.#perKey || this.#takenTotal + amount > this.#total) return false;
    this.#taken.set(key, mine);
    this.#takenTotal += amount;
    return true;
  }

  giveBack(key: string, amount: number): void {
    const mine = (this.#taken.get(key) ?? 0) - amount;
    if (mine > 0) this.#taken.set(key, mine);
    else this.#taken.delete(key);
    this.#takenTotal -= amount;
  }
}
