import { memoryStore, type RunOptions, type RunStore } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { quiet } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

type Start = Awaited<ReturnType<Agent["inspect"]>>["events"][number] & { readonly type: "run.start" };

/** How a run keeps an option: the given value and where to find it in the first record, or why it is not kept. */
type Kept = readonly [given: unknown, read: (start: Start) => unknown, expected?: unknown] | "code" | "handle";

const page = { name: "scroll", description: "Scrolls.", inputSchema: { type: "object" }, sideEffectClass: "pure" };
const earlier = [{ role: "user", content: "An earlier question." }];
const historyTexts = ({ history }: Start): unknown => history.map(({ content }) => content);

/**
 * Each option of a run. The compiler checks that none is missing. Data of the caller is kept. Settings and code come from
 * the agent in the process that drives the run. A handle belongs to the caller's process.
 */
const options: Readonly<Record<keyof RunOptions, Kept>> = {
  sessionId: ["s-1", (start) => start.sessionId],
  tenantId: ["t-1", (start) => start.tenantId],
  userId: ["u-1", (start) => start.userId],
  metadata: [{ ticket: "T-1" }, (start) => start.metadata],
  extraVars: [{ region: "eu" }, (start) => start.extraVars],
  messages: [earlier, historyTexts, ["An earlier question."]],
  conversationHistory: [earlier, historyTexts, ["An earlier question."]],
  clientTools: [[page], (start) => start.clientTools],
  deadlineAt: [9_000_000_000_000, (start) => start.deadlineAt],
  dependencies: [{ shop: "live" }, (start) => start.withDependencies, true],
  // The row of the run has the key: the same key finds the run.
  idempotencyKey: "handle",
  // The run around recovers the runs inside its calls.
  parent: "handle",
  signal: "handle",
  apiKey: "handle",
  onToken: "handle",
  onStart: "handle",
  onComplete: "handle",
  onError: "handle",
  onApprovalRequired: "handle",
  includeRawEvents: "handle",
  verbose: "handle",
  // Signed with the journal from the first record of the policy on; before that, a row could be forged: a person is asked.
  grants: "handle",
  enableCaching: "code",
  hooks: "code",
  output: "code",
  model: "code",
  instructions: "code",
  maxTurns: "code",
  toolChoice: "code",
  toolUseBehavior: "code",
  reasoning: "code",
  temperature: "code",
  topP: "code",
  stopSequences: "code",
  parallelToolCalls: "code",
  maxTokens: "code",
  providerOptions: "code",
  modelTiers: "code",
  fallback: "code",
  retry: "code",
  timeouts: "code",
  toolConcurrency: "code",
  toolTimeoutMs: "code",
  stopWhen: "code",
  prepareStep: "code",
  loopHooks: "code",
  extensions: "code",
  hooksAreFatal: "code",
  guardrails: "code",
  outputGuardrails: "code",
  approval: "code",
  flow: "code",
  contextCompactor: "code",
  toolResultLimit: "code",
  memory: "code",
  session: "code",
  generateFollowups: "code",
  sandbox: "code",
  budget: "code",
  eventBus: "code",
  logger: "code",
  clock: "code",
  ids: "code",
  maxDepth: "code",
  onUnknownOutcome: "code",
  detached: "code",
  resumable: "code",
  concurrentRuns: "code",
  loopDetection: "code",
};

const kept = Object.entries(options).flatMap(([name, how]) => (typeof how === "string" ? [] : [[name, how] as const]));

test.each(kept)(
  "a run keeps `%s` of its caller when its process dies before the first record [run.resume]",
  async (name, [value, read, expected = value]) => {
    const store = memoryStore();
    const agentOn = (own: RunStore): Agent =>
      new Agent({
        name: "agent",
        logger: quiet,
        model: scriptedModel(() => "Done."),
        store: own,
        dependencies: name === "dependencies" ? value : undefined,
      });
    const dying = faultyStore(store, ({ operation }) =>
      operation === "create" ? { crash: true, written: true } : undefined,
    );
    void agentOn(dying).run("go", { [name]: value });
    await dying.crashed;
    const id = (await store.listRuns({ allTenants: true }))[0]?.id ?? "";
    const agent = agentOn(store);
    const done = await agent.resume(id, [], { formerIsGone: true });
    expect(done.status).toBe("completed");
    const start = (await agent.inspect(id)).events.find(({ type }) => type === "run.start");
    expect(read(start as Start)).toEqual(expected);
  },
);
