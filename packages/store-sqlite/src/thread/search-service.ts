/** Filter of a search; `null` means no condition. */
export interface SearchColumns {
  readonly tenantId: string | null;
  readonly allTenants: boolean;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly states: readonly string[] | null;
  /** The name between line feeds, in the column's form. */
  readonly tool: string | null;
  readonly words: readonly string[];
  readonly leastCostUsd: number | null;
  readonly createdFrom: number | null;
  readonly createdBefore: number | null;
  readonly insideRunId: string | null;
  readonly after: readonly [createdAt: number, order: number] | null;
  readonly limit: number;
}

/** A run that was found. */
export interface FoundColumns<Run> extends FactsColumns {
  readonly run: Run;
  readonly order: number;
}

/** Facts of a run, or what an append adds to them; `tools` are names between line feeds. */
export interface FactsColumns {
  readonly costUsd: number | null;
  readonly tokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tools: string;
  readonly stopReason: string | null;
}

/** Searching runs. */
export interface SearchCalls<Run> {
  searchRuns(search: SearchColumns): Promise<readonly FoundColumns<Run>[]>;
  countRuns(tenantId: string | null, allTenants: boolean): Promise<readonly (readonly [state: string, runs: number])[]>;
}
