/** One instruction of classic BPF, like the kernel's `struct sock_filter`. */
export interface BpfInstruction {
  readonly code: number;
  /** Number of instructions to skip if the test succeeds. */
  readonly jt: number;
  /** Number of instructions to skip if it fails. */
  readonly jf: number;
  readonly k: number;
}

/** The instructions that a filter of system calls needs: `ld [k]`, `jeq`, `jge`, `jset`, `and`, `ret`. */
export const bpfCode: {
  readonly load: 0x20;
  readonly jumpEqual: 0x15;
  readonly jumpGreaterOrEqual: 0x35;
  readonly jumpAnyBit: 0x45;
  readonly and: 0x54;
  readonly return: 0x06;
} = { load: 0x20, jumpEqual: 0x15, jumpGreaterOrEqual: 0x35, jumpAnyBit: 0x45, and: 0x54, return: 0x06 };

/** A program for `seccomp(2)`, in the byte order of both supported machines. */
export function encodeBpf(program: readonly BpfInstruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k, true);
  }
  return bytes;
}
