import type { Bash as BashClass } from "just-bash";
import { checkArgument } from "@bailiwick/core/extension";
import type { WorkspaceEntry, WorkspaceHost, WorkspacePlace, WorkspaceSandbox } from "./host.ts";
import { root } from "./root.ts";

type Simulator = { readonly Bash: typeof BashClass };

/**
 * A simulated shell over files in memory, by the npm package `just-bash`: for machines without a sandbox. No process,
 * file or network of the machine is reached, and programs of the machine do not run.
 *
 * @param simulator - The package: `await import("just-bash")`.
 * @returns A host for `workspace()`.
 * @example
 * ```ts
 * import { simulatedHost, workspace } from "@bailiwick/workspace";
 *
 * export const open = async () => workspace("./project", { host: simulatedHost(await import("just-bash")) });
 * ```
 */
export function simulatedHost(simulator: Simulator): WorkspaceHost {
  checkArgument(simulator, "Bash", 'simulatedHost(await import("just-bash"))');
  return {
    id: "just-bash",
    simulated: true,
    // The snapshots are outside of the files in memory.
    enforces: { files: true, network: true, processes: true, snapshots: true },
    notice:
      "The shell is simulated: it has the usual text commands (ls, cat, grep, sed, awk, find, sort, jq), and no programs of the machine. Node, npm, Python, compilers and tests do not run here.",
    open: async (place) => openSimulated(simulator, place),
  };
}

const leastOutput = 1024 * 1024;

function openSimulated({ Bash }: Simulator, { env, limits }: WorkspacePlace): WorkspaceSandbox {
  const bash = new Bash({
    cwd: root,
    env: { ...env },
    executionLimits: {
      maxCommandCount: 100_000,
      maxLoopIterations: 100_000,
      maxOutputSize: Math.max(leastOutput, limits.outputTokens * 16),
    },
  });
  const { fs } = bash;
  let outputs = 0;
  const made = fs.mkdir(root, { recursive: true });
  const entryOf = async (folder: string, name: string): Promise<WorkspaceEntry | undefined> => {
    try {
      const found = await fs.lstat(`${folder}/${name}`);
      const kind = found.isSymbolicLink ? "link" : found.isDirectory ? "folder" : found.isFile ? "file" : "other";
      return {
        name,
        kind,
        size: found.size,
        executable: (found.mode & 0o100) !== 0,
        stamp: "",
        changedAt: found.mtime.getTime(),
      };
    } catch {
      return undefined;
    }
  };
  return {
    async exec({ command, cwd, timeoutMs, outputBytes, signal }) {
      await made;
      const limit = AbortSignal.timeout(timeoutMs);
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const result = await bash.exec(command, { cwd, signal: either });
      const output = result.stdout + result.stderr;
      const bytes = Buffer.byteLength(output);
      const after = result.env["PWD"];
      const exit = {
        code: limit.aborted ? null : result.exitCode,
        ...(limit.aborted && { ended: "timeout" }),
        bytes,
        cwd: after?.startsWith("/") === true ? after : cwd,
      };
      if (output.length <= outputBytes) return { ...exit, output };
      outputs += 1;
      const file = `/tmp/output-${outputs}.txt`;
      await fs.mkdir("/tmp", { recursive: true });
      await fs.writeFile(file, output);
      const half = Math.floor(outputBytes / 2);
      return {
        ...exit,
        file,
        output: `${output.slice(0, half)}\n[… a part is left out; the whole output is in ${file} …]\n${output.slice(-half)}`,
      };
    },
    async list(paths) {
      await made;
      return Promise.all(
        paths.map(async (path) => {
          const names = await fs.readdir(path).catch(() => []);
          return (await Promise.all(names.map((name) => entryOf(path, name)))).filter((entry) => entry !== undefined);
        }),
      );
    },
    async read(path, follow) {
      try {
        if (!follow && (await fs.lstat(path)).isSymbolicLink) return new TextEncoder().encode(await fs.readlink(path));
        return (await fs.stat(path)).isFile ? await fs.readFileBuffer(path) : undefined;
      } catch {
        return undefined;
      }
    },
    async write(path, content, { type, follow }) {
      await fs.mkdir(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
      if (!follow) await fs.rm(path, { force: true });
      if (type === "link") return fs.symlink(new TextDecoder().decode(content), path);
      await fs.writeFile(path, content);
      await fs.chmod(path, type === "executable" ? 0o755 : 0o644);
    },
    async remove(paths, recursive) {
      for (const path of paths) {
        await fs.rm(path, { recursive, force: true });
        for (
          let at = path.slice(0, path.lastIndexOf("/"));
          at.startsWith(`${root}/`);
          at = at.slice(0, at.lastIndexOf("/"))
        ) {
          if ((await fs.readdir(at).catch(() => ["?"])).length > 0) break;
          await fs.rm(at, { recursive: true, force: true });
        }
      }
    },
    close: () => Promise.resolve(),
  };
}
