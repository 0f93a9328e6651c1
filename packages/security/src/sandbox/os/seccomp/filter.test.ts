import { expect, test } from "vitest";

import { bpfCode } from "./bpf.ts";
import type { FilterRights } from "./filter.ts";
import { seccompFilter, seccompProgram } from "./filter.ts";
import {
  absentCalls,
  auditArchitecture,
  judgedCalls,
  networkCalls,
  processCalls,
  refusedCalls,
} from "./system-calls.ts";
import type { FilteredMachine } from "./system-calls.ts";

const machines: readonly FilteredMachine[] = ["x64", "arm64"];
const shut: FilterRights = { network: "none", processes: false };

interface SystemCall {
  readonly number: number;
  readonly architecture?: number;
  readonly args?: readonly number[];
}

/** The kernel's answer: runs the filter program as described in `bpf(4)`. */
function answer(machine: FilteredMachine, rights: FilterRights, call: SystemCall): string {
  const data = new Map<number, number>([
    [0, call.number],
    [4, call.architecture ?? auditArchitecture[machine]],
    ...(call.args ?? []).map((value, index): [number, number] => [16 + index * 8, value]),
  ]);
  const program = seccompProgram(machine, rights);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 1) {
    const instruction = program[at];
    if (instruction === undefined) break;
    const { code, jt, jf, k } = instruction;
    const jump = (holds: boolean): void => {
      at += holds ? jt : jf;
    };
    if (code === bpfCode.load) accumulator = data.get(k) ?? 0;
    else if (code === bpfCode.and) accumulator = (accumulator & k) >>> 0;
    else if (code === bpfCode.jumpEqual) jump(accumulator === k);
    else if (code === bpfCode.jumpGreaterOrEqual) jump(accumulator >= k);
    else if (code === bpfCode.jumpAnyBit) jump((accumulator & k) !== 0);
    else if (code === bpfCode.return)
      return { [0x7fff0000]: "allow", [0x80000000]: "kill", [0x50001]: "EPERM", [0x50026]: "ENOSYS" }[k] ?? `${k}`;
  }
  return "fell off the end";
}

const numbersOf = (machine: FilteredMachine, calls: typeof refusedCalls): readonly number[] =>
  Object.values(calls).flatMap((numbers) => numbers[machine] ?? []);

test("dangerous system calls are refused on both architectures, with every grant [sandbox.os]", () => {
  for (const machine of machines) {
    for (const rights of [
      shut,
      { network: "proxied", processes: true },
      { network: "all", processes: true },
    ] as const) {
      for (const number of numbersOf(machine, refusedCalls))
        expect(answer(machine, rights, { number }), `${machine} ${number}`).toBe("EPERM");
      for (const number of numbersOf(machine, absentCalls))
        expect(answer(machine, rights, { number }), `${machine} ${number}`).toBe("ENOSYS");
    }
  }
});

test("without a network, socket(2) and related calls are refused [sandbox.os]", () => {
  for (const machine of machines)
    for (const number of numbersOf(machine, networkCalls))
      expect(answer(machine, shut, { number, args: [1] })).toBe("EPERM");
});

test("with a network, only the needed socket families are allowed [sandbox.os]", () => {
  const families = { unix: 1, inet: 2, inet6: 10, netlink: 16, packet: 17, vsock: 40, algorithms: 38 };
  for (const machine of machines) {
    const number = judgedCalls.socket[machine] as number;
    const allowed = (network: "proxied" | "all"): readonly string[] =>
      Object.entries(families)
        .filter(([, family]) => answer(machine, { network, processes: true }, { number, args: [family] }) === "allow")
        .map(([name]) => name);
    expect(allowed("proxied")).toEqual(["unix", "inet", "inet6", "netlink"]);
    expect(allowed("all")).toEqual(["inet", "inet6", "netlink"]);
  }
});

test("threads may always be started, processes if granted, namespaces never [sandbox.os]", () => {
  const [thread, process, user, mount] = [0x3d0f00, 17, 0x10000000, 0x20000];
  for (const machine of machines) {
    const number = judgedCalls.clone[machine] as number;
    for (const processes of [true, false]) {
      const rights: FilterRights = { network: "none", processes };
      expect(answer(machine, rights, { number, args: [thread] })).toBe("allow");
      expect(answer(machine, rights, { number, args: [process] })).toBe(processes ? "allow" : "EPERM");
      for (const namespace of [user, mount]) {
        expect(answer(machine, rights, { number, args: [process | namespace] })).toBe("EPERM");
        expect(answer(machine, rights, { number, args: [thread | namespace] })).toBe("EPERM");
      }
      for (const fork of numbersOf(machine, processCalls))
        expect(answer(machine, rights, { number: fork })).toBe(processes ? "allow" : "EPERM");
    }
  }
});

test("memory outside the limits, and input to a terminal, are refused [sandbox.os]", () => {
  for (const machine of machines) {
    const map = judgedCalls.mmap[machine] as number;
    const flags = (value: number): string => answer(machine, shut, { number: map, args: [0, 0, 0, value] });
    expect([flags(0x22), flags(0x01), flags(0x21), flags(0x4021)]).toEqual(["allow", "allow", "EPERM", "EPERM"]);
    const control = judgedCalls.ioctl[machine] as number;
    const request = (value: number): string => answer(machine, shut, { number: control, args: [0, value] });
    expect([request(0x5401), request(0x5412), request(0x541c)]).toEqual(["allow", "EPERM", "EPERM"]);
  }
});

test("calls for another architecture end the process; ordinary ones pass [sandbox.os]", () => {
  expect(answer("x64", shut, { number: 0x40000000 + 41 })).toBe("kill");
  for (const machine of machines) {
    expect(answer(machine, shut, { number: 41, architecture: 0x40000003 })).toBe("kill");
    const ordinary = machine === "x64" ? [0, 1, 3, 5, 8, 59, 202, 231, 257, 262] : [56, 57, 62, 63, 64, 93, 98, 221];
    for (const number of ordinary) expect(answer(machine, shut, { number }), `${machine} ${number}`).toBe("allow");
  }
});

test("the program has eight bytes per instruction, within the kernel's limit [sandbox.os]", () => {
  for (const machine of machines) {
    const program = seccompProgram(machine, shut);
    const bytes = seccompFilter(machine, shut);
    expect(bytes.length).toBe(program.length * 8);
    expect(program.length).toBeLessThan(4096);
    const view = new DataView(bytes.buffer);
    for (const [index, { code, jt, jf, k }] of program.entries()) {
      const at = index * 8;
      expect([
        view.getUint16(at, true),
        view.getUint8(at + 2),
        view.getUint8(at + 3),
        view.getUint32(at + 4, true),
      ]).toEqual([code, jt, jf, k]);
      expect(Math.max(jt, jf)).toBeLessThan(program.length - index);
    }
  }
});
