// The chat template: its page is built, and its server answers a chat with an approval.
import { runStep, startNode } from "../lib/processes.mjs";
import { refundScript } from "./refund-script.mjs";

export const script = refundScript;

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  await runStep("npm run build", "npm", ["run", "build"], path, env);
  const server = startNode(["--import", "tsx", "src/server.ts"], path, { ...env, PORT: "0" });
  try {
    const [, port] = await server.printed(/http:\/\/localhost:(\d+)/);
    await refundInChat(`http://localhost:${port}/api`);
    const page = await (await fetch(`http://localhost:${port}/`)).text();
    if (!page.includes('id="root"')) throw new Error(`The server does not serve the page: ${page}`);
  } finally {
    await server.kill();
  }
}

/**
 * Asks for a refund in a chat, approves it, and reads the answer.
 *
 * @param {string} api where `runRoutes` answers
 * @param {Readonly<Record<string, string>>} [headers] sent with each request
 * @returns {Promise<string>} the id of the chat
 */
export async function refundInChat(api, headers = {}) {
  const chat = `chat-${crypto.randomUUID()}`;
  /** @param {string} path @param {unknown} body */
  const post = async (path, body) => {
    const response = await fetch(`${api}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    return text;
  };
  /** @param {string} path @returns {Promise<any>} */
  const get = async (path) => (await fetch(`${api}${path}`, { headers })).json();

  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Refund order 1042." }] };
  await post("/chat", { id: chat, messages: [message] });
  const { runs } = await get(`/runs?sessionId=${chat}`);
  const run = runs?.[0]?.id ?? runs?.[0]?.runId;
  const { interruptions } = await get(`/runs/${run}/interruptions`);
  if (interruptions?.length !== 1)
    throw new Error(`The run asks ${JSON.stringify(interruptions)}, not for one approval.`);
  await post(`/runs/${run}/decisions`, { decisions: [{ id: interruptions[0].id, type: "approve" }] });
  const stream = await (await fetch(`${api}/runs/${run}/stream`, { headers })).text();
  if (!stream.includes('"finish"')) throw new Error(`The stream of the approved run has no end: ${stream}`);
  const history = JSON.stringify(await get(`/chat/${chat}`));
  if (!history.includes("Your money is on its way.")) throw new Error(`The chat has no answer: ${history}`);
  return chat;
}
