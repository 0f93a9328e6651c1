import type { MemoryQuery, MemoryScope } from "@bailiwick/core";
import { expectTypeOf, test } from "vitest";
import type { Memory } from "./memory.ts";

test("[memory.store.scope-bound] the compiler asks for tenant and user in every scope, also where there is none", () => {
  expectTypeOf<{ readonly tenantId: string; readonly userId: undefined }>().toExtend<MemoryScope>();
  expectTypeOf<{ readonly tenantId: string }>().not.toExtend<MemoryScope>();
  expectTypeOf<{ readonly userId: string }>().not.toExtend<MemoryScope>();
  expectTypeOf<{ readonly text: string }>().not.toExtend<MemoryQuery>();
});

test("[memory.labels] an application's memory cannot be written without a label", () => {
  type Options = Parameters<Memory["application"]["remember"]>[2];
  expectTypeOf<{ readonly kind: "semantic" }>().not.toExtend<Options>();
  expectTypeOf<{ readonly label: { readonly integrity: "user"; readonly readers: "public" } }>().toExtend<Options>();
});
