import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The processes that have a desk open: each one keeps a file named after its process id in the data folder. */
export interface DeskProcesses extends Disposable {
  /** True if another process that is alive has the same desk open. */
  othersAreAlive(): boolean;
}

/**
 * Registers this process.
 *
 * @param dataFolder - The desk's data folder; exists.
 */
export function registerProcess(dataFolder: string): DeskProcesses {
  const folder = join(dataFolder, "processes");
  const own = String(process.pid);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, own), "");
  return {
    othersAreAlive() {
      const others = readdirSync(folder).filter((name) => /^\d+$/.test(name) && name !== own);
      const dead = others.filter((name) => !isAlive(Number(name)));
      // A killed process leaves its file behind.
      for (const name of dead) rmSync(join(folder, name), { force: true });
      return others.length > dead.length;
    },
    [Symbol.dispose]: () => rmSync(join(folder, own), { force: true }),
  };
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
