export { providerConformance } from "./provider-conformance.ts";
export type { ConformanceCase, ConformanceServer, ConformanceTraits, CreateModel } from "./conformance-case.ts";
export { handOverConformance, type HandOverModel } from "./hand-over-conformance.ts";
