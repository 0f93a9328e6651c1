import { fs, path } from "../node.ts";
import type { Mount } from "./granted-paths.ts";

/** Folders that an installed program needs: those of the system, and no user's. */
const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const settings = [
  "/etc/ld.so.cache",
  "/etc/alternatives",
  "/etc/ssl/certs",
  "/etc/ca-certificates",
  "/etc/pki/ca-trust/extracted",
  "/etc/pki/tls/certs",
];

/** The system's programs, as mounts and as the links beside them. */
export interface SystemTree {
  readonly mounts: readonly Mount[];
  readonly links: readonly (readonly [path: string, target: string])[];
}

/**
 * The system's programs and libraries, read-only, and Node where it is.
 *
 * @param programs - Additional programs, absolute.
 */
export function systemTree(programs: readonly string[]): SystemTree {
  const mounts: Mount[] = [];
  const links: (readonly [string, string])[] = [];
  for (const name of [...folders, ...settings]) {
    const found = fs.lstatSync(name, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true && folders.includes(name)) links.push([name, fs.readlinkSync(name)]);
    else if (found !== undefined) mounts.push({ source: fs.realpathSync(name), target: name, writable: false });
  }
  const inSystem = (name: string): boolean => folders.some((folder) => name.startsWith(`${folder}/`));
  for (const name of programs) {
    if (!inSystem(name)) mounts.push({ source: fs.realpathSync(name), target: path.resolve(name), writable: false });
  }
  return { mounts, links };
}
