import type { MemoryQuery, MemoryScope } from "@bailiwick/core";
import { expectTypeOf, test } from "vitest";
import type { Memory } from "./memory.ts";

test("the compiler requires tenant and user in every scope, even if they are undefined [memory.store.scope-bound]", () => {
  expectTypeOf<{ readonly tenantId: string; readonly userId: undefined }>().toExtend<MemoryScope>();
  expectTypeOf<{ readonly tenantId: string }>().not.toExtend<MemoryScope>();
  expectTypeOf<{ readonly userId: string }>().not.toExtend<MemoryScope>();
  expectTypeOf<{ readonly text: string }>().not.toExtend<MemoryQuery>();
});

test("an application's memory cannot be written without a label [memory.labels]", () => {
  type Options = Parameters<Memory["application"]["remember"]>[2];
  expectTypeOf<{ readonly kind: "semantic" }>().not.toExtend<Options>();
  expectTypeOf<{ readonly label: { readonly integrity: "user"; readonly readers: "public" } }>().toExtend<Options>();
});
