import type { Check, Fields } from "../../errors/value-checks.ts";

/** Receives a setting that is weaker than the demand; the demand applies, unless this throws. */
export type Weaker = (option: string, demanded: unknown, asked: unknown) => void;

/** Merge rule of a run's value with its agent's. */
export type MergeRule<Value> =
  | { readonly rule: "replace" }
  | {
      /**
       * `fields`: those of the run over those of the agent. `tighten`: the stricter of both. `chain`: both apply. The
       * last two report settings of the run that are weaker.
       */
      readonly rule: "fields" | "tighten" | "chain";
      readonly join: (agent: Value, run: Value, weaker: Weaker) => Value;
    };

/** The agents that an inner run can belong to. */
export type AgentRole = "agent" | "composition" | "program";

/** The inner agent, and the receiver of its weaker settings. */
export interface InsideContext {
  readonly weaker: Weaker;
  readonly role: AgentRole;
}

/** A rule of the outer run for its inner runs. */
export interface InsideRule<Value> {
  readonly rule: "tighten" | "once";
  /** The part of the outer run's value that applies to inner runs; default all of it. */
  readonly hand?: ((value: Value) => Value) | undefined;
  /** Joins the inner run's value with the inherited one. */
  readonly join: (inner: Value, outer: Value, context: InsideContext) => Value;
  /** The outer value applies before the run's own options are read; an option that loosens it throws. */
  readonly first?: true | undefined;
}

/** The value in an inner run: the outer run's (`as is`), shared by other means (`once`), or joined. */
export type Inside<Value> = "as is" | "once" | InsideRule<Value>;

/**
 * How a run keeps an option for the processes that drive it later. `stored`: data of the option is stored with the run.
 * `field`: the run's row and first record have a field for it. `person`: stored, and a person is asked in place of its
 * functions. `again`: code that must be passed again, or the run is refused. `noted`: the row and the first record say
 * that the run had a value, and the run or its agent must have one again. `no`: it belongs to one process, and the next
 * one has the agent's.
 */
export type Kept = "stored" | "field" | "person" | "again" | "noted" | "no";

/** The facts of an option that need no type. Its type, meaning, unit and default are in `contracts/run-options.ts`. */
export interface OptionFacts {
  /** Refuses invalid values. */
  readonly check?: Check | undefined;
  /** The names of a group, in the order of messages and pages. */
  readonly fields?: Fields | undefined;
  /** Programs of code mode have the agent's value. */
  readonly program?: true | undefined;
  /** Compositions take it. */
  readonly composition?: true | undefined;
}

/** The fields of a group, such as `Timeouts`. A table with a missing or an extra field does not compile. */
export type FieldsOf<Group extends object> = Fields<keyof Group & string>;
