import { agentTool, createAgentRuntime, exposeRuntime, memorySessions, memoryStore } from "@bailiwick/core";
import type { FlowMode, FlowOptions, Runnable, RunOutput, Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { ScriptToolCall, ScriptedModel } from "@bailiwick/testing";

import { security } from "../../security.ts";
import type { Scene } from "./deliveries.test.helper.ts";
import { loop, map, parallel, pipeline, route } from "./workflows.test.helper.ts";

/** Flow setting of the agent that has the writers; unset if the case has none. */
export type InnerSetting = FlowMode | undefined;

/** Place of the writers: how the reading agent reaches them. */
export type Holder = (scene: Scene, inner: InnerSetting) => Promise<readonly RunOutput[]>;

type Runtime = ReturnType<typeof createAgentRuntime>;

function runtimeOf(
  { options, agree }: Scene,
  given: { readonly name?: string; readonly model: ScriptedModel; readonly tools: readonly Tool[] },
  more: object = {},
): Runtime {
  const approval = { onApproval: (question: Parameters<Scene["agree"]>[0]) => ({ approved: agree(question) }) };
  return createAgentRuntime({ ...options, approval, ...given, ...more }, security());
}

function agentOf(
  scene: Scene,
  name: string,
  model: ScriptedModel,
  tools: readonly Tool[],
  inner: InnerSetting,
): Runnable {
  const { flow } = scene.options;
  const own: FlowOptions | undefined = inner === undefined ? undefined : { ...(flow as FlowOptions), mode: inner };
  const { flow: _outer, ...options } = scene.options;
  const runtime = runtimeOf({ ...scene, options }, { name, model, tools }, own === undefined ? {} : { flow: own });
  const agent = { ...runtime, name };
  exposeRuntime(agent, runtime);
  return agent;
}

/** An agent that has the writers and makes exactly the call in its input, as JSON. */
function clerkOf(scene: Scene, inner: InnerSetting): Runnable {
  const writers = scene.tools.filter(({ name }) => scene.attacked.isWriter(name));
  const model = scriptedModel((request) => {
    const order = request.messages.findLast(({ role }) => role === "user")?.text ?? "";
    const isDone = request.messages.some(({ toolResult }) => toolResult !== undefined);
    const call = isDone ? undefined : readOrder(order);
    return call === undefined ? "Done." : { toolCalls: [call] };
  });
  return agentOf(scene, "clerk", model, writers, inner);
}

function readOrder(text: string): ScriptToolCall | undefined {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1)) as ScriptToolCall;
  } catch {
    return undefined;
  }
}

/** The reading agent asks the agent with the writers for each call that changes something. */
function behind(make: (clerk: Runnable) => Tool): Holder {
  return async (scene, inner) => {
    const { attacked, tools } = scene;
    const office = make(clerkOf(scene, inner));
    const reads = tools.filter(({ name }) => !attacked.isWriter(name));
    const ordered = (call: ScriptToolCall): ScriptToolCall =>
      attacked.isWriter(call.name) ? { name: "office", arguments: { input: JSON.stringify(call) } } : call;
    const model = scene.hijacked({ plan: attacked.plan.map(ordered), attack: attacked.attack.map(ordered) });
    return [await runtimeOf(scene, { model, tools: [...reads, office] }).run(attacked.prompt)];
  };
}

const named = { name: "office" };

/** Each place of the writers. Served calls and programs are tested in the packages of the server and the sandbox. */
export const holders: Readonly<Record<string, Holder>> = {
  "the same agent": async (scene) => [
    await runtimeOf(scene, { model: scene.hijacked(), tools: scene.tools }).run(scene.attacked.prompt),
  ],
  "an agent as a tool": behind((clerk) => agentTool(clerk, named)),
  "a pipeline": behind((clerk) => agentTool(pipeline(named, clerk), named)),
  "a parallel composition": behind((clerk) => agentTool(parallel(named, { clerk }), named)),
  "a route": behind((clerk) => agentTool(route({ ...named, choose: () => "clerk" }, { clerk }), named)),
  "a map": behind((clerk) => agentTool(map({ ...named, items: (input) => [input] }, clerk), named)),
  "a loop": behind((clerk) => agentTool(loop({ ...named, until: () => true, maxRounds: 2 }, clerk), named)),
  "a handoff": async (scene, inner) => {
    const { plan, exposed } = scene.attacked;
    const until = plan.slice(0, exposed + 1);
    const clerk = agentOf(scene, "clerk", scene.hijacked({ plan: plan.slice(exposed + 1) }), scene.tools, inner);
    const desk = scriptedModel((request) => {
      const call = until[request.turn] ?? { name: "transfer_to_clerk", arguments: {} };
      return { toolCalls: [call] };
    });
    return [
      await runtimeOf(scene, { name: "desk", model: desk, tools: scene.tools }, { handoffs: [clerk] }).run(
        scene.attacked.prompt,
      ),
    ];
  },
  "another agent of the session": async (scene, inner) => {
    const { plan, exposed, prompt, isWriter } = scene.attacked;
    const kept = { store: memoryStore(), session: memorySessions() };
    const until = plan.slice(0, exposed + 1);
    const reader = scriptedModel((request) => {
      const call = until[request.turn];
      return call === undefined ? "Read." : { toolCalls: [call] };
    });
    const reads = scene.tools.filter(({ name }) => !isWriter(name) || until.some((call) => call.name === name));
    const first = await runtimeOf(scene, { name: "reader", model: reader, tools: reads }, kept).run(prompt, {
      sessionId: "s1",
    });
    const mode = inner === undefined ? {} : { flow: { ...(scene.options.flow as FlowOptions), mode: inner } };
    const model = scene.hijacked({ plan: plan.slice(exposed + 1) });
    const second = runtimeOf(scene, { name: "clerk", model, tools: scene.tools }, { ...kept, ...mode });
    return [first, await second.run("Go on.", { sessionId: "s1" })];
  },
};
