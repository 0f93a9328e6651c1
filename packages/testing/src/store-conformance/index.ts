export { storeConformance } from "./store-conformance.ts";
export type { CreateStore, StoreTraits, StoreUnderTest } from "./store-case.ts";
