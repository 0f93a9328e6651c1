import { expect, test } from "vitest";
import { isOwnedBy } from "./owner.ts";

const ids = [undefined, "a", "b"];
const runs = ids.flatMap((tenantId) => ids.map((userId) => ({ tenantId, userId })));

test("a command that names an owner finds only runs of that owner, and others find all [owner.command-line]", () => {
  for (const run of runs) {
    expect(isOwnedBy(run, {})).toBe(true);
    for (const tenant of ids)
      for (const user of ids.slice(tenant === undefined ? 1 : 0)) {
        const isOwn = run.tenantId === tenant && (user === undefined || run.userId === user);
        expect([run, tenant, user, isOwnedBy(run, { tenant, user })]).toEqual([run, tenant, user, isOwn]);
      }
  }
});
