import { toRefused, type GroupCommit } from "@bailiwick/store-sqlite/portable";
import type { ObjectStorage } from "./object-storage.ts";

/**
 * Each write is a separate transaction. The object is the only one that opens its database, and its answers wait until
 * what was written is durable, so nothing is collected and nothing is retried.
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
