/** Machines with a filter, by Node's names. */
export type FilteredMachine = "x64" | "arm64";

interface Numbers {
  readonly x64?: number;
  readonly arm64?: number;
}

const both = (x64: number, arm64: number): Numbers => ({ x64, arm64 });
/** Calls from this number on have one number on every machine. */
const shared = (number: number): Numbers => ({ x64: number, arm64: number });
const onlyX64 = (x64: number): Numbers => ({ x64 });

/** Refused as if the kernel did not have them, so that callers use the older call, which can be judged. */
export const absentCalls: Readonly<Record<string, Numbers>> = {
  // Its flags are in memory, which a filter cannot read.
  clone3: shared(435),
  // Could do everything that is refused here without the filter seeing it.
  io_uring_setup: shared(425),
  io_uring_enter: shared(426),
  io_uring_register: shared(427),
  // Memory that no limit counts.
  memfd_create: both(319, 279),
  memfd_secret: shared(447),
};

/** Always refused: they affect other processes or the kernel, or allocate memory that no limit counts. */
export const refusedCalls: Readonly<Record<string, Numbers>> = {
  ptrace: both(101, 117),
  process_vm_readv: both(310, 270),
  process_vm_writev: both(311, 271),
  process_madvise: shared(440),
  pidfd_getfd: shared(438),
  kcmp: both(312, 272),
  bpf: both(321, 280),
  perf_event_open: both(298, 241),
  userfaultfd: both(323, 282),
  add_key: both(248, 217),
  request_key: both(249, 218),
  keyctl: both(250, 219),
  unshare: both(272, 97),
  setns: both(308, 268),
  mount: both(165, 40),
  umount2: both(166, 39),
  pivot_root: both(155, 41),
  chroot: both(161, 51),
  open_tree: shared(428),
  move_mount: shared(429),
  fsopen: shared(430),
  fsconfig: shared(431),
  fsmount: shared(432),
  fspick: shared(433),
  mount_setattr: shared(442),
  statmount: shared(457),
  listmount: shared(458),
  open_tree_attr: shared(467),
  name_to_handle_at: both(303, 264),
  open_by_handle_at: both(304, 265),
  fanotify_init: both(300, 262),
  fanotify_mark: both(301, 263),
  init_module: both(175, 105),
  finit_module: both(313, 273),
  delete_module: both(176, 106),
  kexec_load: both(246, 104),
  kexec_file_load: both(320, 294),
  reboot: both(169, 142),
  swapon: both(167, 224),
  swapoff: both(168, 225),
  acct: both(163, 89),
  quotactl: both(179, 60),
  quotactl_fd: shared(443),
  syslog: both(103, 116),
  sethostname: both(170, 161),
  setdomainname: both(171, 162),
  settimeofday: both(164, 170),
  clock_settime: both(227, 112),
  clock_adjtime: both(305, 266),
  adjtimex: both(159, 171),
  personality: both(135, 92),
  vhangup: both(153, 58),
  lookup_dcookie: both(212, 18),
  set_mempolicy: both(238, 237),
  mbind: both(237, 235),
  migrate_pages: both(256, 238),
  move_pages: both(279, 239),
  shmget: both(29, 194),
  iopl: onlyX64(172),
  ioperm: onlyX64(173),
  modify_ldt: onlyX64(154),
  uselib: onlyX64(134),
  sysfs: onlyX64(139),
  ustat: onlyX64(136),
};

/** Refused without a granted network, together with `socket`. */
export const networkCalls: Readonly<Record<string, Numbers>> = {
  socket: both(41, 198),
  connect: both(42, 203),
  bind: both(49, 200),
  listen: both(50, 201),
  accept: both(43, 202),
  accept4: both(288, 242),
};

/** Refused if no process may be started. */
export const processCalls: Readonly<Record<string, Numbers>> = { fork: onlyX64(57), vfork: onlyX64(58) };

/** System calls that the filter allows or refuses by their arguments. */
export const judgedCalls: Readonly<Record<"clone" | "socket" | "mmap" | "ioctl", Numbers>> = {
  clone: both(56, 220),
  socket: both(41, 198),
  mmap: both(9, 222),
  ioctl: both(16, 29),
};

/** `AUDIT_ARCH_*`: the kernel's number for the architecture of a call. */
export const auditArchitecture: Readonly<Record<FilteredMachine, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
