import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed with its content. */
export function temporaryFolder(): { readonly path: string; readonly file: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "bailiwick-sqlite-"));
  return { path, file: join(path, "store.db"), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
