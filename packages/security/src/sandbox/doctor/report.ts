import type { DrivenTier } from "../driver.ts";

/** The result of one class of escapes in one tier. */
export interface ProbeReport {
  /** Name of the probe. */
  readonly probe: string;
  /** True if the probe reached nothing on the host. */
  readonly held: boolean;
  /** Targets that were reached, a clause each. */
  readonly reached: readonly string[];
}

/** Measured state of a tier on this machine. */
export interface TierReport {
  /** The tier. */
  readonly tier: DrivenTier;
  /** True if code can run in the tier on this machine. */
  readonly available: boolean;
  /** The reason why it is not available, and what to do. */
  readonly reason?: string | undefined;
  /** Remedy if it is not available: the package to install, or the setting to change. */
  readonly fix?: string | undefined;
  /** Minimum duration of an empty call in milliseconds, with a waiting sandbox. */
  readonly callMs?: number | undefined;
  /** The attempts to leave the sandbox, and their results. */
  readonly probes: readonly ProbeReport[];
  /** The same attempts of programs that may start others, as the commands of a workspace; for the tier `os`. */
  readonly programs?: readonly ProbeReport[] | undefined;
}

/** A gap that a configuration leaves. */
export interface ConfigurationGap {
  /** The tool or the option that it is about. */
  readonly subject: string;
  /** The gap, as a sentence. */
  readonly gap: string;
  /** The remedy, as a sentence. */
  readonly fix: string;
}

/** The result of `doctor`. */
export interface DoctorReport {
  /** Operating system, as `process.platform`. */
  readonly platform: string;
  /** Processor, as `process.arch`. */
  readonly architecture: string;
  /** Version of Node. */
  readonly node: string;
  /** One report for each tier. */
  readonly tiers: readonly TierReport[];
  /** Gaps that the configuration of the tools leaves; empty if there are none. */
  readonly gaps: readonly ConfigurationGap[];
  /** The same as text for people. */
  readonly text: string;
}

/** The report as text. */
export function reportText({ platform, architecture, node, tiers, gaps }: Omit<DoctorReport, "text">): string {
  return [
    `Sandboxes on ${platform} ${architecture}, Node ${node}`,
    "",
    ...tiers.flatMap(tierLines),
    ...(gaps.length === 0 ? [] : ["What the configuration leaves open", ""]),
    ...gaps.flatMap(({ subject, gap, fix }) => [`  ${subject}: ${gap}`, `    ${fix}`]),
  ].join("\n");
}

function lineOf({ probe, reached }: ProbeReport): string {
  return `  not held: ${probe} (${reached.join("; ")})`;
}

function tierLines({ tier, available, reason, fix, callMs, probes, programs = [] }: TierReport): readonly string[] {
  if (!available)
    return [`${tier}: not available, ${reason ?? "for a reason that is not known"}.`, `  ${fix ?? ""}`, ""];
  const open = probes.filter(({ held }) => !held);
  const speed = callMs === undefined ? "" : `, a call takes ${callMs.toFixed(1)} ms`;
  return [
    `${tier}: available${speed}; ${probes.length - open.length} of ${probes.length} classes of escapes were prevented`,
    ...open.map(lineOf),
    ...(programs.length === 0
      ? []
      : [
          `  programs: ${programs.filter(({ held }) => held).length} of ${programs.length} classes of escapes were prevented`,
          ...programs.filter(({ held }) => !held).map(lineOf),
        ]),
    "",
  ];
}
