import { childProcess } from "../node.ts";

/** Limits that the kernel enforces for a process, as in `setrlimit(2)`. */
export interface ProcessLimits {
  /** Bytes of private memory, of JavaScript and everything else. */
  readonly data: number;
  /** Seconds of CPU. */
  readonly cpuSeconds?: number | undefined;
  /** Maximum size of a written file, in mebibytes. Default 64. */
  readonly fileMB?: number | undefined;
  /** Maximum number of processes and threads of the user inside; only if it has its own count. */
  readonly processes?: number | undefined;
}

const mebibyte = 1024 * 1024;
const openFiles = 256;

/** Arguments of `prlimit` for limits that nothing inside can raise again. */
export function limitArguments(limits: ProcessLimits): readonly string[] {
  return [
    `--data=${limits.data}`,
    `--nofile=${openFiles}`,
    `--fsize=${(limits.fileMB ?? 64) * mebibyte}`,
    "--core=0",
    ...(limits.cpuSeconds === undefined ? [] : [`--cpu=${limits.cpuSeconds}`]),
    ...(limits.processes === undefined ? [] : [`--nproc=${limits.processes}`]),
  ];
}

/** Stacks of Node's own threads, in addition to those of a bare start. */
const allowance = 64 * mebibyte;
let measured: Promise<number> | undefined;

/**
 * The limit on data that gives the code this much memory: Node reserves unused address space, which counts too.
 * Measured once.
 *
 * @param memoryMB - Memory for the code.
 */
export async function dataLimit(memoryMB: number): Promise<number> {
  measured ??= measureNode();
  return (await measured) + allowance + memoryMB * mebibyte;
}

const program = `process.stdout.write(/VmData:\\s+(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1])`;
/** Address space that Node 24 reserves, rounded up; used if it cannot be measured. */
const assumed = 640 * mebibyte;

function measureNode(): Promise<number> {
  return new Promise((resolve) => {
    childProcess.execFile(process.execPath, ["-e", program], { timeout: 60_000, env: {} }, (error, stdout) => {
      const kibibytes = Number(stdout);
      resolve(error === null && kibibytes > 0 ? kibibytes * 1024 : assumed);
    });
  });
}

/** Sets Node's heap limit, so that Node reports exceeding it as out of memory. */
export function heapArgument(memoryMB: number): string {
  return `--max-old-space-size=${Math.max(16, Math.floor(memoryMB))}`;
}
