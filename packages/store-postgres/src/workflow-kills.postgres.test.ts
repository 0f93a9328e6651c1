import { test } from "vitest";
import { workflowKills } from "../../agent/test/workflows/workflow-kills.test.helper.ts";
import { postgresStore } from "./postgres-store.ts";
import { temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

for (const [index, { name }] of workflowKills(() => postgresStore({ url: testUrl }), 60).entries())
  test(`${name} (postgres)`, async () => {
    await using stack = new AsyncDisposableStack();
    const open = () => {
      const { schema } = stack.use(temporarySchema());
      const store = postgresStore({ url: testUrl, schema });
      stack.defer(() => store.close());
      return store;
    };
    await workflowKills(open, 60)[index]?.run();
  });
