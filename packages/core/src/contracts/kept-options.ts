/** Options of a run as they are stored with it: they apply in every process that drives it. */
export interface KeptOptions {
  /** The data of each option, by its name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Paths of functions that decide approvals. Functions cannot be stored: a person is asked instead. */
  readonly person?: readonly string[] | undefined;
  /** Signature of the grants, if the agent has a key that signs. */
  readonly mac?: string | undefined;
}
