export { providerConformance } from "./provider-conformance.ts";
export type { ConformanceCase, ConformanceServer, ConformanceTraits, CreateModel } from "./conformance-case.ts";
