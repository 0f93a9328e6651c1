import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Contents that runs have read, kept beside the copy so that a resumed run may replace them. */
export interface ReadNotes {
  note(key: string, id: string): void;
  of(key: string): string | undefined;
}

const most = 2_000;

/** @param file - Written after each new note. */
export function readNotes(file: string): ReadNotes {
  let known: Map<string, string> | undefined;
  const load = (): Map<string, string> => {
    try {
      return new Map(JSON.parse(readFileSync(file, "utf8")) as [string, string][]);
    } catch {
      return new Map();
    }
  };
  const notes = (): Map<string, string> => (known ??= load());
  return {
    note(key, id) {
      if (notes().get(key) === id) return;
      notes().delete(key);
      notes().set(key, id);
      const kept = [...notes()].slice(-most);
      known = new Map(kept);
      const beside = `${file}.${process.pid}`;
      writeFileSync(beside, JSON.stringify(kept));
      renameSync(beside, file);
    },
    of: (key) => notes().get(key),
  };
}
