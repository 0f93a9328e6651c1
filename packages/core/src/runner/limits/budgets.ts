import type { Budget } from "../../contracts/run-options.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";

/** An amount that is set aside before a call, or spent by it. */
export interface Spending {
  readonly tokens: number;
  /** `undefined` if the cost is not known. */
  readonly usd: number | undefined;
}

export interface Reservation {
  /** Releases the reservation and books the real usage of the call. */
  settle(spent: Spending): void;
}

/**
 * Remaining budget of a run and the runs inside it. Reservations and bookings count in the outer account too, so any
 * number of parallel inner runs cannot spend more than the outer one has.
 */
export class BudgetAccount {
  readonly #maxTokens: number;
  readonly #maxUsd: number;
  readonly #above: BudgetAccount | undefined;
  #tokens = 0;
  #usd = 0;
  #hasUnknownCost = false;

  /**
   * @param limits - Limits of this run; none when `undefined`.
   * @param above - The calling run's account.
   * @param spent - Usage of earlier processes, which the outer account counts by itself.
   */
  constructor(limits: Pick<Budget, "tokens" | "usd"> | undefined, above?: BudgetAccount, spent?: Spending) {
    this.#maxTokens = limits?.tokens ?? Infinity;
    this.#maxUsd = limits?.usd ?? Infinity;
    this.#above = above;
    if (spent !== undefined) this.#spend(spent);
  }

  /** True if something was spent whose cost in dollars is not known, here or in an outer account. */
  hasUnknownCost(): boolean {
    return this.#hasUnknownCost || this.#above?.hasUnknownCost() === true;
  }

  /** Sets an amount aside; `undefined` if it does not fit, here or in an outer account. */
  reserve(amount: Spending): Reservation | undefined {
    if (this.#tokens + amount.tokens > this.#maxTokens || this.#usd + (amount.usd ?? 0) > this.#maxUsd)
      return undefined;
    const outer = this.#above?.reserve(amount);
    if (this.#above !== undefined && outer === undefined) return undefined;
    this.#add(amount, 1);
    let open = true;
    return {
      settle: (spent): void => {
        if (!open) return;
        open = false;
        this.#add(amount, -1);
        this.#spend(spent);
        outer?.settle(spent);
      },
    };
  }

  /** Books usage without a reservation. */
  book(spent: Spending): void {
    this.#spend(spent);
    this.#above?.book(spent);
  }

  /** Tokens that are neither used nor set aside; infinite without a limit. */
  remainingTokens(): number {
    return Math.min(this.#maxTokens - this.#tokens, this.#above?.remainingTokens() ?? Infinity);
  }

  /** US dollars that are neither used nor set aside; infinite without a limit. */
  remainingUsd(): number {
    return Math.min(this.#maxUsd - this.#usd, this.#above?.remainingUsd() ?? Infinity);
  }

  #spend(spent: Spending): void {
    if (spent.usd === undefined) this.#hasUnknownCost = true;
    this.#add(spent, 1);
  }

  #add(amount: Spending, sign: 1 | -1): void {
    this.#tokens += sign * amount.tokens;
    this.#usd += sign * (amount.usd ?? 0);
  }
}

export function spendingOf(usage: TokenUsage, usd: number | undefined): Spending {
  return { tokens: usage.totalTokens, usd };
}
