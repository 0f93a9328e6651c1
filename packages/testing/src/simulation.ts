/**
 * Seeded simulation of an application: several processes, a store, fake servers, a model and people, with faults.
 *
 * @module simulation
 */
export { simulation, type Simulation } from "./simulation/simulation-of.ts";
export { simulate } from "./simulation/explore/simulate.ts";
export { selfTest, type PlantedDefect, type SelfTestReport } from "./simulation/explore/self-test.ts";
export { crashTest, type CrashOptions, type CrashReport, type CrashRow } from "./simulation/crash/crash-test.ts";
export { chatSimulation, type ChatSimulationOptions } from "./simulation/chat-simulation.ts";
export {
  sharedResource,
  type HurtRun,
  type SharedResourceOptions,
  type SharedResourceReport,
} from "./simulation/shared/shared-resource.ts";
export type { SharedFault, SharedParts } from "./simulation/shared/faulty-requests.ts";
export { agentClientPage, aiSdkPage, type AgentSdk, type AiSdk } from "./simulation/page/pages.ts";
export type {
  PageHost,
  PageKind,
  PageMessage,
  PagePart,
  SimulatedPage,
  WrittenMessage,
} from "./simulation/page/page-kind.ts";
export type { BrokenHistory, SimulationReport } from "./simulation/explore/report.ts";
export type {
  App,
  AppProcess,
  DriveOptions,
  ExploreOptions,
  FaultOptions,
  SimulatedAgent,
  SimulatedAgentEntry,
  SimulationOptions,
  StartApp,
  WebProcess,
  WorkItem,
  WorldView,
} from "./simulation/options.ts";
export {
  receiver,
  type ReceivedRequest,
  type Receiver,
  type Route,
  type RouteContext,
} from "./simulation/components/receiver.ts";
export type { Effect, EffectRequest, Effects, OpenCall } from "./simulation/components/effects.ts";
export { simulatedModel } from "./simulation/components/simulated-model.ts";
export { component } from "./simulation/components/object-component.ts";
export { checkHistory } from "./simulation/checker/check-history.ts";
export type {
  BrokenPromise,
  ExpectedEffect,
  FormerWrite,
  PromiseName,
  RecordedAnswer,
  RecordedHistory,
  RecordedPage,
  RecordedRun,
  TakenLease,
} from "./simulation/checker/recorded-history.ts";
export type { Fault, FaultKind, PageAction } from "./simulation/world/fault.ts";
export type { History } from "./simulation/world/history.ts";
export { SimulationError, type SimulationErrorCode } from "./simulation/simulation-error.ts";
