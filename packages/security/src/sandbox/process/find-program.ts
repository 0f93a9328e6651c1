import { fs, path } from "../node.ts";

/** Folders of the system's programs, so that the process's environment cannot replace the programs that set limits. */
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The absolute path of one of the system's programs, with links resolved. */
export function findSystemProgram(name: string): string | undefined {
  for (const folder of systemFolders) {
    try {
      const file = fs.realpathSync(path.join(folder, name));
      fs.accessSync(file, fs.constants.X_OK);
      return file;
    } catch {
      // The next folder may contain it.
    }
  }
  return undefined;
}
