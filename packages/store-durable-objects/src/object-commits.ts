import { toRefused, type GroupCommit } from "@bailiwick/store-sqlite/portable";
import type { ObjectStorage } from "./object-storage.ts";

/**
 * Each write is a separate transaction. Only the object opens its database, and its answers wait until the write is
 * durable, so writes are neither collected nor retried.
 */
export function objectCommits(storage: ObjectStorage, name: string): GroupCommit {
  let count = 0;
  const settle = async <Result>(work: () => Result): Promise<Result> => {
    try {
      return work();
    } catch (error) {
      throw toRefused(error, name);
    }
  };
  return {
    write: (work) =>
      settle(() => {
        const value = storage.transactionSync(work);
        count += 1;
        return value;
      }),
    read: settle,
    get count() {
      return count;
    },
    close: async () => undefined,
  };
}
