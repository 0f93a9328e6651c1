import { expect, test } from "vitest";
import { BudgetAccount } from "./budgets.ts";

test("a reservation counts at once, here and in outer budgets, and spent amounts remain after settling [run.budget.reserve-settle]", () => {
  const outer = new BudgetAccount({ tokens: 100, usd: 1 });
  const inner = [new BudgetAccount({ tokens: 80 }, outer), new BudgetAccount(undefined, outer)] as const;
  const first = inner[0].reserve({ tokens: 60, usd: 0.5 });
  expect(first).toBeDefined();
  expect(inner[0].reserve({ tokens: 30, usd: 0 })).toBeUndefined();
  expect(inner[1].reserve({ tokens: 50, usd: 0 })).toBeUndefined();
  expect(inner[1].reserve({ tokens: 10, usd: 0.6 })).toBeUndefined();
  expect(inner[1].remainingTokens()).toBe(40);
  first?.settle({ tokens: 10, usd: 0.1 });
  first?.settle({ tokens: 10, usd: 0.1 });
  expect(outer.remainingTokens()).toBe(90);
  expect(outer.remainingUsd()).toBeCloseTo(0.9);
  inner[1].book({ tokens: 90, usd: undefined });
  expect(outer.remainingTokens()).toBe(0);
  expect(inner[0].remainingTokens()).toBe(0);
});
