import type { WorkerOptions } from "node:worker_threads";

/**
 * Node's flags for the thread: those of the process, without `--input-type`. That flag is for a program from `node -e`
 * or standard input, and a thread with a program file does not start with it.
 *
 * @param flags - The process's flags.
 * @param environment - The process's environment, whose `NODE_OPTIONS` hold more of them.
 * @returns `undefined` if the thread can inherit all.
 */
export function threadFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Pick<WorkerOptions, "execArgv" | "env"> {
  const more = environment["NODE_OPTIONS"];
  const given = flags.some(isInputType) || (more !== undefined && more.includes(inputType));
  if (!given) return {};
  return {
    execArgv: flags.filter((flag, index) => !isInputType(flag) && flags[index - 1] !== inputType),
    ...(more !== undefined && { env: { ...environment, NODE_OPTIONS: more.replaceAll(inNodeOptions, " ").trim() } }),
  };
}

const inputType = "--input-type";
const inNodeOptions = /(?:^|\s)--input-type(?:=|\s+)\S+/g;

function isInputType(flag: string): boolean {
  return flag === inputType || flag.startsWith(`${inputType}=`);
}
