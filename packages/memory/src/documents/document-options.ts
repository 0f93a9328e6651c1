import { checkArgument, checkKnownNames, ConfigurationError } from "@bailiwick/core";
import type { Embedder, Logger, MemoryStore, Principal } from "@bailiwick/core";
import { readersProblem } from "@bailiwick/core/extension";
import { languages, type DocumentLanguage } from "./stems.ts";

/** Options of `documents()`. */
export interface DocumentsOptions {
  /** The store of the documents, such as `sqliteStore({ path })`. There is no default. */
  readonly store: MemoryStore | { readonly memories: MemoryStore };
  /** Name of the collection; collections of one store are apart. Default `documents`. */
  readonly name?: string | undefined;
  /** The tenant that the documents belong to: runs of other tenants find none. Default: all tenants. */
  readonly tenantId?: string | undefined;
  /** Also finds passages by meaning; without one, they are found by their words. */
  readonly embedder?: Embedder | undefined;
  /** Time limit of the embedder for a question, in milliseconds; then the search continues with words. Default 5,000. */
  readonly modelTimeoutMs?: number | undefined;
  /** Languages whose word endings the search removes. Default `["english"]`. */
  readonly languages?: readonly DocumentLanguage[] | undefined;
  /** Receives warnings. Default: the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** Options of a document. */
export interface DocumentOptions {
  /**
   * Origin of the text. `own`: only you write it, and its text is trusted. `outside`: others can write it, and a call
   * that acts on it asks a person. There is no default.
   */
  readonly returns: "own" | "outside";
  /** The people who may find it and see its text, such as `["user:ana"]`, or `public`. Default: the users of the application. */
  readonly readers?: readonly Principal[] | "public" | undefined;
}

/** A document to add. */
export interface NewDocument extends DocumentOptions {
  /** Its name, such as a path: citations begin with it. A document of the same name is replaced. */
  readonly source: string;
  /** Markdown or plain text. */
  readonly text: string;
}

/** Checks the options of a collection. */
export function checkDocumentsOptions(options: DocumentsOptions): void {
  checkArgument(options, "object", "documents({ store })");
  checkKnownNames(
    options,
    ["store", "name", "tenantId", "embedder", "modelTimeoutMs", "languages", "logger"],
    "documents()",
  );
  const { name, languages: given, modelTimeoutMs } = options;
  if (name !== undefined && (typeof name !== "string" || !/^[\w.-]{1,64}$/u.test(name)))
    throw invalid(`name is ${JSON.stringify(name)}. Use 1 to 64 letters, digits, "_", "-" and "."`);
  if (modelTimeoutMs !== undefined && !(Number.isFinite(modelTimeoutMs) && modelTimeoutMs > 0))
    throw invalid("modelTimeoutMs is not a number of milliseconds above 0");
  if (given === undefined) return;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const unknown = list.find((one) => !languages.includes(one as DocumentLanguage));
  if (unknown !== undefined || list.length === 0)
    throw invalid(`languages is ${JSON.stringify(given)}. Known: ${languages.join(", ")}`);
}

/** Checks where a document is from, and who may read it. */
export function checkDocument(given: DocumentOptions, what: string): void {
  const { returns, readers } = given as Partial<DocumentOptions>;
  if (returns !== "own" && returns !== "outside")
    throw invalid(
      `${what}: returns is ${JSON.stringify(returns)}. Say "own" if only you write the text, and "outside" if others can`,
    );
  if (readers === undefined) return;
  const problem = readersProblem(readers);
  if (problem !== undefined) throw invalid(`${what}: readers ${problem.replace(/\.$/u, "")}`);
}

/** An option that cannot be used. */
export function invalid(problem: string): ConfigurationError {
  return new ConfigurationError("INVALID_OPTION", `documents(): ${problem}.`);
}
