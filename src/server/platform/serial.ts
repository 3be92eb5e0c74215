/** Runs tasks one at a time, in the order in which they were added, also after a task that failed. */
export type SerialQueue = {
  /** Adds a task. @returns the result of the task, or its error */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when every task that was added before this call has ended. */
  ended(): Promise<void>;
};

export function openSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const done = last.then(task);
      last = done.catch(() => {});
      return done;
    },
    async ended() {
      await last;
    },
  };
}
