export { sandboxConformance } from "./sandbox-conformance.ts";
export type { CreateSandbox, SandboxTraits, SandboxUnderTest } from "./sandbox-case.ts";
