import {
  memoryStore,
  type AgentOptions,
  type EnqueueOptions,
  type FlowOptions,
  type FollowOptions,
  type ForkOptions,
  type Owner,
  type PreflightOptions,
  type ResumeOptions,
  type RunOptions,
  type SandboxConfig,
  type SecurityPorts,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { confirm, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

class Thing {
  readonly x = 1;
}

const thrown = (): never => {
  throw new Error("The value cannot be read.");
};

/** An object whose members throw when they are read. */
const trap = (names: readonly string[]): object => {
  const value = {};
  for (const name of names) Object.defineProperty(value, name, { enumerable: true, get: thrown });
  return value;
};

/** Values that JavaScript callers, forms and configuration files pass by mistake. */
const values: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  "{}": () => ({}),
  "[]": () => [],
  "0": () => 0,
  "-1": () => -1,
  NaN: () => Number.NaN,
  "empty text": () => "",
  text: () => "x",
  function: () => () => undefined,
  "class instance": () => new Thing(),
  "throwing getter": () => trap(["x", "name", "mode", "tier", "message", "sign", "prepare"]),
  "throwing Proxy": () =>
    new Proxy(
      {},
      { get: thrown, has: thrown, ownKeys: thrown, getPrototypeOf: thrown, getOwnPropertyDescriptor: thrown },
    ),
};

/** All names of an interface: the compiler refuses a list that misses one. */
type Names<Options> = Readonly<Record<keyof Required<Options> & string, true>>;

const ofSettings = {
  model: true,
  instructions: true,
  maxTurns: true,
  toolChoice: true,
  toolUseBehavior: true,
  reasoning: true,
  temperature: true,
  topP: true,
  stopSequences: true,
  parallelToolCalls: true,
  maxTokens: true,
  providerOptions: true,
  modelTiers: true,
  fallback: true,
  retry: true,
  timeouts: true,
  toolConcurrency: true,
  toolTimeoutMs: true,
  stopWhen: true,
  prepareStep: true,
  loopHooks: true,
  extensions: true,
  hooksAreFatal: true,
  guardrails: true,
  outputGuardrails: true,
  approval: true,
  flow: true,
  contextCompactor: true,
  toolResultLimit: true,
  memory: true,
  session: true,
  dependencies: true,
  userId: true,
  generateFollowups: true,
  sandbox: true,
  budget: true,
  eventBus: true,
  logger: true,
  clock: true,
  ids: true,
  maxDepth: true,
  onUnknownOutcome: true,
  detached: true,
  resumable: true,
  concurrentRuns: true,
  loopDetection: true,
  deadlineAt: true,
  output: true,
} as const;
const ofAgents: Names<AgentOptions> = {
  ...ofSettings,
  name: true,
  description: true,
  tools: true,
  mcp: true,
  hostedTools: true,
  models: true,
  prices: true,
  hooks: true,
  secrets: true,
  keys: true,
  store: true,
  ledger: true,
  leaseMs: true,
  hasher: true,
  telemetry: true,
  handoffs: true,
  collisions: true,
};
const ofRuns: Names<RunOptions> = {
  ...ofSettings,
  sessionId: true,
  tenantId: true,
  metadata: true,
  apiKey: true,
  signal: true,
  extraVars: true,
  messages: true,
  conversationHistory: true,
  enableCaching: true,
  onToken: true,
  onStart: true,
  onComplete: true,
  onError: true,
  onApprovalRequired: true,
  grants: true,
  includeRawEvents: true,
  verbose: true,
  parent: true,
  hooks: true,
  clientTools: true,
  fakes: true,
  idempotencyKey: true,
};
const ofResume: Names<ResumeOptions> = { ...ofRuns, formerIsGone: true };
const ofEnqueue: Names<EnqueueOptions> = {
  tenantId: true,
  userId: true,
  sessionId: true,
  metadata: true,
  messages: true,
  idempotencyKey: true,
  at: true,
  delayMs: true,
  priority: true,
  deadlineAt: true,
  maxQueued: true,
};
const ofFork: Names<ForkOptions> = { atSeq: true, edit: true };
const ofEdit: Names<NonNullable<ForkOptions["edit"]>> = { message: true, messages: true };
const ofOwner: Names<Owner> = { tenantId: true, userId: true };
const ofFollow: Names<FollowOptions> = { afterSeq: true };
const ofPreflight: Names<PreflightOptions> = { grants: true, instructions: true, signal: true };
const ofFlow: Names<FlowOptions> = {
  mode: true,
  grants: true,
  planner: true,
  plannerTtlMs: true,
  quarantine: true,
  lowCapacityLeaves: true,
  serverDefinitions: true,
  answerLinks: true,
  allowedHosts: true,
  undeclared: true,
  unattended: true,
  allowUngovernedHostedTools: true,
};
/** Members of each form of a sandbox. */
type Members<Form> = Form extends unknown ? keyof Form : never;
const ofSandbox: Readonly<Record<Members<SandboxConfig>, true>> = {
  tier: true,
  enabled: true,
  timeout: true,
  maxMemoryMB: true,
  allowNetwork: true,
  allowFS: true,
  maxProcesses: true,
  maxFileMB: true,
  maxTemporaryMB: true,
  maxDiskMB: true,
  acknowledgeUnrestricted: true,
  env: true,
  fallback: true,
};
const ofPorts: Names<SecurityPorts> = {
  secrets: true,
  sanitizer: true,
  flow: true,
  sandbox: true,
  download: true,
  signer: true,
  sealer: true,
};

/** Milliseconds that a run of one turn may take. */
const mostMs = 120_000;

const settled = async (work: () => unknown): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The run hangs.")), mostMs);
  });
  try {
    await Promise.race([Promise.resolve().then(work), late]);
  } finally {
    clearTimeout(timer);
  }
};

interface Case {
  readonly names: Readonly<Record<string, true>>;
  /** Calls an entry point with the option; `begun` is called when a model is asked. */
  readonly call: (given: object, begun: () => void) => Promise<unknown>;
}

/** An agent of `@bailiwick/agent`, with its flow policy and sandboxes. */
const agentWith = (options: object, begun: () => void = () => undefined, ports?: SecurityPorts): Agent =>
  new Agent(
    {
      name: "clerk",
      model: scriptedModel(({ toolResults, tools }) => {
        begun();
        return toolResults.length > 0 || !tools.some(({ name }) => name === "confirm")
          ? "Done."
          : { toolCalls: [{ name: "confirm", arguments: {} }] };
      }),
      logger: quiet,
      tools: [confirm],
      ...options,
    },
    ports,
  );

/** A run that waits for an approval, and the decision. */
async function waiting(begun: () => void) {
  const store = memoryStore();
  const first = agentWith({ store });
  const { runId, interruptions } = await first.run("Go.");
  return { runId, decisions: interruptions.map((one) => one.approve()), agent: agentWith({ store }, begun) };
}

const cases: Readonly<Record<string, Case>> = {
  "new Agent()": {
    names: ofAgents,
    call: (given, begun) => agentWith({ tools: [], ...given }, begun).run("Hello."),
  },
  "run()": { names: ofRuns, call: (given, begun) => agentWith({ tools: [] }, begun).run("Hello.", given) },
  "resume()": {
    names: ofResume,
    async call(given, begun) {
      const { agent, runId, decisions } = await waiting(begun);
      return agent.resume(runId, decisions, given);
    },
  },
  "resumeStream()": {
    names: ofResume,
    async call(given, begun) {
      const { agent, runId, decisions } = await waiting(begun);
      return agent.resumeStream(runId, decisions, given).result;
    },
  },
  "enqueue()": { names: ofEnqueue, call: (given) => agentWith({ store: memoryStore() }).enqueue("Hello.", given) },
  "fork()": {
    names: ofFork,
    async call(given) {
      const { agent, runId } = await waiting(() => undefined);
      return agent.fork(runId, { atSeq: 1, ...given });
    },
  },
  "the edit of fork()": {
    names: ofEdit,
    async call(given) {
      const { agent, runId } = await waiting(() => undefined);
      return agent.fork(runId, { atSeq: 1, edit: given });
    },
  },
  "decide()": {
    names: ofOwner,
    async call(given) {
      const { agent, runId, decisions } = await waiting(() => undefined);
      return agent.decide(runId, decisions, given);
    },
  },
  "follow()": {
    names: ofFollow,
    async call(given) {
      const { agent, runId } = await waiting(() => undefined);
      for await (const event of agent.follow(runId, given)) void event;
    },
  },
  "preflight()": { names: ofPreflight, call: (given) => agentWith({}).preflight("Hello.", given) },
  "flow of an agent": {
    names: ofFlow,
    call: (given, begun) => agentWith({ flow: { mode: "enforce", ...given }, tools: [] }, begun).run("Hello."),
  },
  "flow of a run": {
    names: ofFlow,
    call: (given, begun) => agentWith({ tools: [] }, begun).run("Hello.", { flow: given }),
  },
  "sandbox of an agent": {
    names: ofSandbox,
    call: (given, begun) => agentWith({ sandbox: { ...given }, tools: [] }, begun).run("Hello."),
  },
  "sandbox of a run": {
    names: ofSandbox,
    call: (given, begun) =>
      agentWith({ tools: [] }, begun).run("Hello.", { sandbox: given as Partial<SandboxConfig> as SandboxConfig }),
  },
  "ports of an agent": {
    names: ofPorts,
    call: async (given, begun) => agentWith({ tools: [] }, begun, given).run("Hello."),
  },
};

/** Values that these places accept. For all others, the table of options in the core defines the accepted values. */
const accepted: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "enqueue()": {
    at: ["0"],
    deadlineAt: ["0"],
    delayMs: ["0"],
    idempotencyKey: ["text"],
    messages: ["[]"],
    metadata: ["{}"],
    priority: ["0", "-1"],
    sessionId: ["text"],
    tenantId: ["text"],
    userId: ["text"],
  },
  "fork()": { edit: ["{}"] },
  "the edit of fork()": { message: ["[]", "empty text", "text"], messages: ["{}"] },
  "follow()": { afterSeq: ["0"] },
  "preflight()": { grants: ["[]"], instructions: ["empty text", "text"] },
  "decide()": {},
  "flow of an agent": { allowedHosts: ["[]"], grants: ["[]"], planner: ["text"], quarantine: ["{}"] },
  "flow of a run": { allowedHosts: ["[]"], grants: ["[]"], planner: ["text"], quarantine: ["{}"] },
  "sandbox of an agent": { allowNetwork: ["[]", "{}"], allowFS: ["{}"], env: ["{}"] },
  "sandbox of a run": { allowNetwork: ["[]", "{}"], allowFS: ["{}"], env: ["{}"] },
  "ports of an agent": Object.fromEntries(
    ["secrets", "sanitizer", "download", "signer", "sealer"].map((name) => [
      name,
      name === "sanitizer" ? [] : ["function"],
    ]),
  ),
};

// The runner loads with the first run.
beforeAll(() => agentWith({ tools: [] }).run("Hello."), 60_000);

describe.each(Object.entries(cases))("any value of an option of %s", (place, { names, call }) => {
  test.each(Object.keys(names))("%s is accepted, or refused by name and code [options.values]", async (name) => {
    const wrong: string[] = [];
    for (const [kind, valueFor] of Object.entries(values)) {
      let begun = false;
      try {
        await settled(() => call({ [name]: valueFor() }, () => (begun = true)));
        if (accepted[place] !== undefined && accepted[place]?.[name]?.includes(kind) !== true)
          wrong.push(`${kind} is accepted`);
      } catch (error) {
        const { code, message } = error as { readonly code?: unknown; readonly message: string };
        // A text may be the id of another owner.
        if (code === "RUN_NOT_FOUND" && kind === "text") continue;
        if (typeof code !== "string") wrong.push(`${kind} gives an error without a code: ${String(error)}`);
        else if (!begun && !message.includes(name)) wrong.push(`${kind} gives ${code} without the name: ${message}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
