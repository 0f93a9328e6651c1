// Drives an agent with both lines of @ag-ui/client and with CopilotKit's core.
import { CopilotKitCore } from "@copilotkit/core";
import * as zero from "ag-ui-client-0";
import * as one from "ag-ui-client-1";
import { startAgUiHost } from "../lib/ag-ui-host.mjs";
import { openCases, same } from "../lib/cases.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("ag-ui", here);
const host = await startAgUiHost();
const url = `${host.url}/ag-ui`;

const highlight = {
  name: "highlight",
  description: "Highlights a row.",
  parameters: { type: "object", properties: { row: { type: "number" } } },
};
const lastText = ({ messages }) => String(messages.findLast(({ role }) => role === "assistant")?.content ?? "");
let threads = 0;
const open = ({ HttpAgent }) => new HttpAgent({ url, threadId: `thread-${(threads += 1)}` });
const say = async (agent, content, parameters = {}) => {
  agent.addMessage({ id: `said-${agent.messages.length}`, role: "user", content });
  await agent.runAgent(parameters);
};

for (const [version, client] of Object.entries({ "0.0.59": zero, "1.0.0": one })) {
  await check(`@ag-ui/client ${version}: a text`, async () => {
    const agent = open(client);
    await say(agent, "Hello.");
    same({ text: lastText(agent) }, { text: "I read: Hello." });
  });
  await check(`@ag-ui/client ${version}: a tool of the page`, async () => {
    const agent = open(client);
    await say(agent, "highlight", { tools: [highlight] });
    const call = agent.messages.flatMap(({ toolCalls }) => toolCalls ?? [])[0];
    same(call.function, { name: "highlight", arguments: '{"row":7}' });
    agent.addMessage({ id: "result", role: "tool", toolCallId: call.id, content: '{"shown":true}' });
    await agent.runAgent({ tools: [highlight] });
    if (!lastText(agent).includes('{"shown":true}')) throw new Error(lastText(agent));
  });
  await check(`@ag-ui/client ${version}: context and state`, async () => {
    const agent = open(client);
    await say(agent, "Hello.", { context: [{ description: "Rows", value: "[7]" }] });
    agent.setState({ count: 4 });
    await say(agent, "count");
    same(agent.state, { count: 5 });
  });
  await check(`@ag-ui/client ${version}: an approval is an interrupt`, async () => {
    const agent = open(client);
    let interrupts;
    agent.subscribe({ onRunFinishedEvent: ({ event }) => void (interrupts = event.outcome?.interrupts) });
    await say(agent, "pay");
    same({ reason: interrupts?.[0]?.reason }, { reason: "approval" });
    await agent.runAgent({
      resume: [{ interruptId: interrupts[0].id, status: "resolved", payload: { approved: true } }],
    });
    if (!lastText(agent).includes("paid 5")) throw new Error(lastText(agent));
  });
}

await check("CopilotKit's core: a tool of the page runs, and the run continues with its result", async () => {
  const agent = open(zero);
  const core = new CopilotKitCore({ agents__unsafe_dev_only: { clerk: agent } });
  const ran = [];
  core.addTool({
    name: "highlight",
    description: "Highlights a row.",
    handler: async (args) => {
      ran.push(args);
      return { shown: true };
    },
  });
  agent.addMessage({ id: "said", role: "user", content: "highlight" });
  await core.runAgent({ agent });
  same({ ran: JSON.stringify(ran) }, { ran: '[{"row":7}]' });
  if (!lastText(agent).includes('{"shown":true}')) throw new Error(JSON.stringify(agent.messages));
});
await check("CopilotKit's core: context reaches the agent", async () => {
  const agent = open(zero);
  const core = new CopilotKitCore({ agents__unsafe_dev_only: { clerk: agent } });
  core.addContext({ description: "Selected rows", value: "[7]" });
  agent.addMessage({ id: "said", role: "user", content: "Hello." });
  await core.runAgent({ agent });
  if (!lastText(agent).includes("Selected rows")) throw new Error(lastText(agent));
});
host.close();
end();
