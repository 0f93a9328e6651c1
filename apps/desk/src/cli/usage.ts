/** Arguments of the command line. */
export const usage = `Usage:
  desk list [--json]                            the mails, newest first
  desk handle <mail-id> [--json]                have a mail handled, or continue its unfinished run
  desk runs [--json]                            the runs, newest first
  desk answer <run-id> <json> [--json]          answer the question that a run waits with
  desk approve <run-id> [<call-id>] [--json]    approve what a run waits for, or one call of it

Exit code: 0 done, 2 a run waits for a person, 1 failed.`;
