import { fs, path } from "../node.ts";
import type { FileRight } from "../rights.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";

/** A folder or file that a sandbox has in its tree. */
export interface Mount {
  /** Real path on the host. */
  readonly source: string;
  /** Path inside the sandbox. */
  readonly target: string;
  readonly writable: boolean;
}

/** Granting these would grant the whole host: its processes, devices and kernel. */
const neverGranted = ["/proc", "/sys", "/dev"];

/** The folder behind each granted path at its first lookup: later changes do not move a grant. */
const firstSeen = new Map<string, string>();

/**
 * The granted paths as mounts: each with its links and parent segments resolved.
 *
 * @param files - Named paths.
 * @throws SandboxUnavailableError for a path that is relative, missing, redirected since its first use, or would open
 *   the host.
 */
export function grantedMounts(files: Exclude<FileRight, "all">): readonly Mount[] {
  if (files === "none") return [];
  return [
    ...files.readOnly.flatMap((name) => mountsOf(name, false)),
    ...files.readWrite.flatMap((name) => mountsOf(name, true)),
    ...files.mounts.map(({ source, target, readOnly }) => ({
      source: realPath(source),
      target: placeInside(target),
      writable: !readOnly,
    })),
  ];
}

/** Folders inside that belong to the system: a mount there would replace its programs. */
const systemFolders = [...neverGranted, "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"];

function placeInside(target: string): string {
  const place = path.resolve("/", target);
  const isTaken = systemFolders.some((folder) => place === folder || place.startsWith(`${folder}/`));
  if (path.isAbsolute(target) && !target.includes("\0") && place !== "/" && place !== "/tmp" && !isTaken) return place;
  throw new SandboxUnavailableError(
    "os",
    `its allowFS mounts something at "${target}", which is not an absolute path outside the folders of the system`,
    "Choose a target such as /workspace.",
  );
}

function mountsOf(name: string, writable: boolean): readonly Mount[] {
  const source = realPath(name);
  const target = path.resolve(name);
  const real: Mount = { source, target: source, writable };
  // A link is also mounted at its own path, because the code uses that path.
  return target === source ? [real] : [real, { source, target, writable }];
}

function realPath(name: string): string {
  const refuse = (reason: string, fix: string): never => {
    throw new SandboxUnavailableError("os", `its allowFS names "${name}", which ${reason}`, fix);
  };
  if (!path.isAbsolute(name) || name.includes("\0")) {
    return refuse("is not an absolute path", "Name the folder from the root on.");
  }
  let real: string;
  try {
    real = fs.realpathSync(name);
  } catch (error) {
    return refuse(
      `cannot be looked up: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      "Create it before the agent is made, or remove the name.",
    );
  }
  if (real === "/") {
    return refuse("is the whole machine", "Name folders, or say allowFS: true with acknowledgeUnrestricted: true.");
  }
  if (neverGranted.some((folder) => real === folder || real.startsWith(`${folder}/`))) {
    return refuse("belongs to the kernel", "A sandbox has its own /proc and /dev.");
  }
  const before = firstSeen.get(name) ?? real;
  firstSeen.set(name, before);
  if (before !== real) {
    return refuse(`led to "${before}" and now leads to "${real}"`, "Name the folder itself, not a link that moves.");
  }
  return real;
}
