import type { Mount } from "./granted-paths.ts";

/** A tree, a network and an environment, as bubblewrap makes them. */
export interface SandboxPlan {
  /** Read-only unless stated; `whole` is the host's own tree. */
  readonly mounts: readonly Mount[] | "whole";
  /** Symbolic links in the tree, by path. */
  readonly links: readonly (readonly [path: string, target: string])[];
  readonly sharesNetwork: boolean;
  readonly hasProc: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Maximum number of bytes in `/tmp`, which is memory. */
  readonly temporaryBytes: number;
}

/** The source of a mount as an open descriptor, so that bubblewrap does not resolve a name twice. */
export type DescriptorOf = (source: string) => number;

/** Arguments of every sandbox, for any grant. */
const isolation = [
  "--die-with-parent",
  "--new-session",
  "--clearenv",
  "--cap-drop",
  "ALL",
  "--uid",
  "65534",
  "--gid",
  "65534",
  "--hostname",
  "sandbox",
];
/** Five devices without data; `/dev` itself is closed. */
const devices: readonly string[] = [
  "--size",
  "1048576",
  "--tmpfs",
  "/dev",
  ...["null", "zero", "full", "random", "urandom"].flatMap((name) => ["--dev-bind", `/dev/${name}`, `/dev/${name}`]),
  "--symlink",
  "/proc/self/fd",
  "/dev/fd",
  "--remount-ro",
  "/dev",
];

/**
 * The arguments of bubblewrap for a plan, without the command.
 *
 * @param plan - Content of the sandbox.
 * @param descriptorOf - The number under which a source is open in bubblewrap.
 */
export function bubblewrapArguments(plan: SandboxPlan, descriptorOf: DescriptorOf): readonly string[] {
  const { mounts } = plan;
  const isWhole = mounts === "whole";
  const args = ["--unshare-all"];
  if (plan.sharesNetwork) args.push("--share-net");
  args.push(...isolation);
  if (isWhole) args.push("--bind", "/", "/");
  else args.push("--perms", "0700", "--size", String(plan.temporaryBytes), "--tmpfs", "/tmp");
  if (plan.hasProc) args.push("--proc", "/proc");
  args.push(...devices);
  if (!isWhole) args.push(...mountArguments(mounts, descriptorOf));
  for (const [path, target] of plan.links) args.push("--symlink", target, path);
  if (!isWhole) args.push("--remount-ro", "/");
  for (const [name, value] of Object.entries(plan.env)) args.push("--setenv", name, value);
  args.push("--chdir", plan.folder);
  return args;
}

/** Outer folders first, so that they do not hide inner ones; if a path is granted twice, the wider grant counts. */
function mountArguments(mounts: readonly Mount[], descriptorOf: DescriptorOf): readonly string[] {
  const byTarget = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = byTarget.get(mount.target);
    if (other === undefined || mount.writable) byTarget.set(mount.target, mount);
  }
  return [...byTarget.values()]
    .toSorted((left, right) => depth(left.target) - depth(right.target))
    .flatMap(({ source, target, writable }) => [
      writable ? "--bind-fd" : "--ro-bind-fd",
      String(descriptorOf(source)),
      target,
    ]);
}

function depth(target: string): number {
  return target.split("/").length;
}
