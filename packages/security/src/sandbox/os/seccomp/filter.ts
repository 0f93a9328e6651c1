import { bpfCode, encodeBpf } from "./bpf.ts";
import type { BpfInstruction } from "./bpf.ts";
import {
  absentCalls,
  auditArchitecture,
  judgedCalls,
  networkCalls,
  processCalls,
  refusedCalls,
} from "./system-calls.ts";
import type { FilteredMachine } from "./system-calls.ts";

/** Rights that a filter allows. */
export interface FilterRights {
  /**
   * `none`: no socket can be created. `proxied`: unix sockets too, since the sandbox has its own network with only the
   * proxy's socket. `all`: internet sockets; unix sockets are refused, because the host's could be reached.
   */
  readonly network: "none" | "proxied" | "all";
  /** True if other processes may be started; threads always may. */
  readonly processes: boolean;
}

const verdict = { allow: 0x7fff0000, kill: 0x80000000, refuse: 0x00050000 | 1, absent: 0x00050000 | 38 };
/** Offsets in `struct seccomp_data`; arguments are 64 bit, low half first. */
const offset = { number: 0, architecture: 4, argument: (index: number): number => 16 + index * 8 };

/** `CLONE_NEW*`. */
const newNamespaces = 0x7e020000;
const cloneThread = 0x00010000;
/** `MAP_SHARED` and `MAP_ANONYMOUS`: no limit on data counts such mappings. */
const sharedAnonymous = 0x21;
const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
/** Requests that put characters into a terminal's input: `TIOCSTI`, `TIOCLINUX`. */
const terminalRequests = [0x5412, 0x541c];
/** x32 calls share the architecture, but not the numbers. */
const firstX32 = 0x40000000;

const load = (k: number): BpfInstruction => ({ code: bpfCode.load, jt: 0, jf: 0, k });
const ret = (k: number): BpfInstruction => ({ code: bpfCode.return, jt: 0, jf: 0, k });
const skipUnlessEqual = (k: number, skip: number): BpfInstruction => ({ code: bpfCode.jumpEqual, jt: 0, jf: skip, k });
const skipIfEqual = (k: number, skip: number): BpfInstruction => ({ code: bpfCode.jumpEqual, jt: skip, jf: 0, k });

/** Instructions that check the arguments of one system call. Other calls skip them. */
function judged(number: number, part: readonly BpfInstruction[]): readonly BpfInstruction[] {
  return [skipUnlessEqual(number, part.length + 1), ...part, load(offset.number)];
}

function refuse(
  calls: Readonly<Record<string, Partial<Record<FilteredMachine, number>>>>,
  machine: FilteredMachine,
  answer: number,
): readonly BpfInstruction[] {
  return Object.values(calls).flatMap((numbers) => {
    const number = numbers[machine];
    return number === undefined ? [] : [skipUnlessEqual(number, 1), ret(answer)];
  });
}

/**
 * The filter for each system call of a sandbox: the calls in `system-calls.ts` are refused, calls of another
 * architecture end the process, the others pass.
 *
 * @param machine - Machine with the numbers of its system calls; other machines have no filter.
 * @param rights - Calls that may pass.
 */
export function seccompProgram(machine: FilteredMachine, rights: FilterRights): readonly BpfInstruction[] {
  const number = (call: keyof typeof judgedCalls): number => judgedCalls[call][machine] as number;
  return [
    load(offset.architecture),
    skipIfEqual(auditArchitecture[machine], 1),
    ret(verdict.kill),
    load(offset.number),
    ...(machine === "x64" ? [{ code: bpfCode.jumpGreaterOrEqual, jt: 0, jf: 1, k: firstX32 }, ret(verdict.kill)] : []),
    ...refuse(absentCalls, machine, verdict.absent),
    ...refuse(refusedCalls, machine, verdict.refuse),
    ...(rights.processes ? [] : refuse(processCalls, machine, verdict.refuse)),
    ...judged(number("clone"), cloneRule(rights.processes)),
    ...(rights.network === "none"
      ? refuse(networkCalls, machine, verdict.refuse)
      : judged(number("socket"), socketRule(rights.network))),
    ...judged(number("mmap"), [
      load(offset.argument(3)),
      { code: bpfCode.and, jt: 0, jf: 0, k: sharedAnonymous },
      skipUnlessEqual(sharedAnonymous, 1),
      ret(verdict.refuse),
    ]),
    ...judged(number("ioctl"), [
      load(offset.argument(1)),
      ...terminalRequests.flatMap((request) => [skipUnlessEqual(request, 1), ret(verdict.refuse)]),
    ]),
    ret(verdict.allow),
  ];
}

/**
 * Refuses new namespaces, which would restore capabilities. Without `processes`, only threads are
 * allowed.
 */
function cloneRule(processes: boolean): readonly BpfInstruction[] {
  return [
    load(offset.argument(0)),
    { code: bpfCode.jumpAnyBit, jt: 0, jf: 1, k: newNamespaces },
    ret(verdict.refuse),
    ...(processes ? [] : [{ code: bpfCode.jumpAnyBit, jt: 1, jf: 0, k: cloneThread }, ret(verdict.refuse)]),
  ];
}

function socketRule(network: "proxied" | "all"): readonly BpfInstruction[] {
  const { unix, inet, inet6, netlink } = families;
  const allowed = [inet, inet6, netlink, ...(network === "proxied" ? [unix] : [])];
  return [
    load(offset.argument(0)),
    ...allowed.map((family, index) => skipIfEqual(family, allowed.length - index)),
    ret(verdict.refuse),
  ];
}

/** The same program as bytes, for bubblewrap. */
export function seccompFilter(machine: FilteredMachine, rights: FilterRights): Uint8Array {
  return encodeBpf(seccompProgram(machine, rights));
}
