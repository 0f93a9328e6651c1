/** Options of a run as they are stored with it: they apply in every process that drives it. */
export interface KeptOptions {
  /** The data of each option, by its name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Paths of functions that decide approvals. Functions cannot be stored: a person is asked instead. */
  readonly person?: readonly string[] | undefined;
  /** Names of options with functions that the run cannot do without: a caller that continues it passes them again. */
  readonly again?: readonly string[] | undefined;
  /** Signature of the grants, if the agent has a key that signs. */
  readonly mac?: string | undefined;
}
