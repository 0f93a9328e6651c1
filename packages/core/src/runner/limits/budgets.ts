import type { Budget } from "../../contracts/run-options.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import type { ModelPrice, PriceTable } from "../../contracts/model-price.ts";
import { listPrices } from "../../models/list-prices.ts";

/** An amount that is set aside before a call, or spent by it. */
export interface Spending {
  readonly tokens: number;
  /** `undefined` when the price is unknown. */
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

  /**
   * @param limits - Limits of this run; none when `undefined`.
   * @param above - The calling run's account.
   * @param spent - Usage of earlier processes, which the outer account counts by itself.
   */
  constructor(limits: Pick<Budget, "tokens" | "usd"> | undefined, above?: BudgetAccount, spent?: Spending) {
    this.#maxTokens = limits?.tokens ?? Infinity;
    this.#maxUsd = limits?.usd ?? Infinity;
    this.#above = above;
    if (spent !== undefined) this.#add(spent, 1);
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
        this.#add(spent, 1);
        outer?.settle(spent);
      },
    };
  }

  /** Books usage without a reservation. */
  book(spent: Spending): void {
    this.#add(spent, 1);
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

  #add(amount: Spending, sign: 1 | -1): void {
    this.#tokens += sign * amount.tokens;
    this.#usd += sign * (amount.usd ?? 0);
  }
}

export function spendingOf(usage: TokenUsage, usd: number | undefined): Spending {
  return { tokens: usage.totalTokens, usd };
}

export function priceOf(provider: string, model: string, own: PriceTable | undefined): ModelPrice | undefined {
  return lookUp(own, provider, model) ?? lookUp(listPrices, provider, model);
}

function lookUp(table: PriceTable | undefined, provider: string, model: string): ModelPrice | undefined {
  if (table === undefined) return undefined;
  return table[`${provider}/${model}`] ?? table[`${provider}/${model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, "")}`];
}

/**
 * Cost of a model call in US dollars.
 *
 * @param price - `undefined` makes the cost `undefined`, never 0.
 * @param usage - Cached tokens are part of `inputTokens`.
 */
export function costOf(price: ModelPrice | undefined, usage: TokenUsage): number | undefined {
  if (price === undefined) return undefined;
  const cached = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cached - written);
  const perMillion =
    fresh * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return perMillion / 1_000_000;
}
