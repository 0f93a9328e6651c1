import type { Budget } from "../../contracts/run-options.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";

/** An amount that is set aside before a call, or spent by it. */
export interface Spending {
  readonly tokens: number;
  /** `undefined` when the price is unknown. */
  readonly usd: number | undefined;
}

/** What was set aside for one call. */
export interface Reservation {
  /** Gives the reservation back and books what the call really used. */
  settle(spent: Spending): void;
}

/** What a run and the runs inside it may still spend. */
export interface BudgetAccount {
  /** Sets an amount aside; `undefined` when it does not fit, here or in an account above. */
  reserve(amount: Spending): Reservation | undefined;
  /** Books what was spent without a reservation: usage of an earlier process. */
  book(spent: Spending): void;
  /** Tokens that neither are used nor set aside; infinite without a limit. */
  remainingTokens(): number;
  /** US dollars that neither are used nor set aside; infinite without a limit. */
  remainingUsd(): number;
}

/**
 * Opens an account. What is reserved or booked here counts in the account above too, so that runs inside a run can
 * never spend more than the outer one has, however many of them run at once.
 *
 * @param limits - Limits of this run; none when `undefined`.
 * @param above - The calling run's account.
 */
export function openBudget(limits: Pick<Budget, "tokens" | "usd"> | undefined, above?: BudgetAccount): BudgetAccount {
  const maxTokens = limits?.tokens ?? Number.POSITIVE_INFINITY;
  const maxUsd = limits?.usd ?? Number.POSITIVE_INFINITY;
  let tokens = 0;
  let usd = 0;
  const add = (amount: Spending, sign: 1 | -1): void => {
    tokens += sign * amount.tokens;
    usd += sign * (amount.usd ?? 0);
  };
  return {
    reserve(amount: Spending): Reservation | undefined {
      if (tokens + amount.tokens > maxTokens || usd + (amount.usd ?? 0) > maxUsd) return undefined;
      const outer = above?.reserve(amount);
      if (above !== undefined && outer === undefined) return undefined;
      add(amount, 1);
      let open = true;
      return {
        settle(spent: Spending): void {
          if (!open) return;
          open = false;
          add(amount, -1);
          add(spent, 1);
          outer?.settle(spent);
        },
      };
    },
    book(spent: Spending): void {
      add(spent, 1);
      above?.book(spent);
    },
    remainingTokens: () => Math.min(maxTokens - tokens, above?.remainingTokens() ?? Number.POSITIVE_INFINITY),
    remainingUsd: () => Math.min(maxUsd - usd, above?.remainingUsd() ?? Number.POSITIVE_INFINITY),
  };
}

/** What a call used, as spending. */
export function spendingOf(usage: TokenUsage, usd: number | undefined): Spending {
  return { tokens: usage.totalTokens, usd };
}
