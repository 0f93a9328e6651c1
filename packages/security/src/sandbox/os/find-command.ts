import { fs, path } from "../node.ts";
import { SandboxSpawnFailedError } from "../sandbox-errors.ts";

/** Default search path for programs. */
export function defaultPath(): string {
  return `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
}

/**
 * The file of a command as seen from inside.
 *
 * @param command - An absolute path, or a name.
 * @param searchPath - The `PATH` inside.
 * @throws SandboxSpawnFailedError if there is none.
 */
export function findCommand(command: string, searchPath: string): string {
  if (command === "node") return process.execPath;
  const candidates = command.includes("/")
    ? [command]
    : searchPath.split(":").map((folder) => path.join(folder, command));
  for (const candidate of candidates) {
    if (path.isAbsolute(candidate) && isProgram(candidate)) return candidate;
  }
  throw new SandboxSpawnFailedError(
    "os",
    command.includes("/") ? `"${command}" is not an absolute path of a program` : `no "${command}" is in ${searchPath}`,
  );
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
