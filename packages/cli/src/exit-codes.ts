import { BailiwickError } from "@bailiwick/core";

/** One exit code. */
export interface ExitCode {
  readonly code: number;
  /** Meaning, printed in the guide. */
  readonly meaning: string;
}

/** Every exit code of the command. */
export const exitCodes: Readonly<
  Record<
    "done" | "failed" | "usage" | "notFound" | "busy" | "refused" | "suspended" | "stopped" | "undecided",
    ExitCode
  >
> = {
  done: { code: 0, meaning: "The command did what you asked for. A run that it drove is completed." },
  failed: { code: 1, meaning: "The command or the run failed, or a check found a problem." },
  usage: { code: 2, meaning: "The command line is wrong: an unknown option, or a missing argument." },
  notFound: { code: 3, meaning: "The run, question, schedule or error code does not exist." },
  busy: { code: 4, meaning: "Another process drives the run. Try again later." },
  refused: {
    code: 5,
    meaning:
      "The command was refused: a suspicious question, arguments that the tool does not take, or an action that needs a confirmation.",
  },
  suspended: { code: 6, meaning: "The run waits for a person, or sleeps." },
  stopped: { code: 7, meaning: "The run was cancelled, or stopped at a limit." },
  undecided: {
    code: 8,
    meaning: "The check could not judge: two plays of one history differ, or a score of an evaluation is missing.",
  },
};

const notFound: ReadonlySet<string> = new Set(["RUN_NOT_FOUND", "SCHEDULE_NOT_FOUND", "UNKNOWN_DECISION"]);
const refused: ReadonlySet<string> = new Set(["RUN_NOT_RETRYABLE", "RUN_HAS_PARENT", "RUN_OVER", "EDIT_INVALID"]);

/** Maps an error to the exit code of the process. */
export function exitCodeOf(error: unknown): number {
  if (!BailiwickError.isInstance(error)) return exitCodes.failed.code;
  if ("exitCode" in error && typeof error.exitCode === "number") return error.exitCode;
  if (notFound.has(error.code)) return exitCodes.notFound.code;
  if (error.code === "RUN_BUSY" || error.code === "SESSION_BUSY") return exitCodes.busy.code;
  if (refused.has(error.code)) return exitCodes.refused.code;
  return exitCodes.failed.code;
}

/** Maps how a run ended to the exit code of the process. */
export function exitCodeOfStatus(status: string): number {
  if (status === "completed") return exitCodes.done.code;
  if (status === "suspended" || status === "sleeping") return exitCodes.suspended.code;
  if (status === "cancelled" || status === "stopped") return exitCodes.stopped.code;
  return exitCodes.failed.code;
}
