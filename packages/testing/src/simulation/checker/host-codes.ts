/** Errors of the process, its store and its leases. They say nothing about the run. */
const hostCode =
  /^(?:STORE_\w+|FENCED|RUN_BUSY|SESSION_BUSY|RUN_HANDED_OVER|JOURNAL_UNAVAILABLE|DUPLICATE_KEY|SEQUENCE_GAP|PART_UNAVAILABLE|LEASE_\w+|REPLAY_DIVERGENCE)$/;

/** True for the code of an error that belongs to the host and not to the run. */
export function isHostCode(code: string | undefined): boolean {
  return code !== undefined && hostCode.test(code);
}
