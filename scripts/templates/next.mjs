// The Next.js template: its development server and its production build answer a chat with an approval.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runStep, startNode } from "../lib/processes.mjs";
import { refundInChat } from "./chat.mjs";
import { refundScript } from "./refund-script.mjs";

export const script = refundScript;

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  const next = join(path, "node_modules/next/dist/bin/next");
  const variables = { ...env, NEXT_TELEMETRY_DISABLED: "1" };
  const settings = join(path, "tsconfig.json");
  const before = readFileSync(settings, "utf8");
  await runStep("npm run build", "npm", ["run", "build"], path, variables);
  for (const command of ["start", "dev"]) {
    const server = startNode([next, command, "--hostname", "127.0.0.1", "--port", "0"], path, variables);
    try {
      const [, port] = await server.printed(/http:\/\/127\.0\.0\.1:([1-9]\d*)/);
      await chatThrough(`http://127.0.0.1:${port}`);
    } finally {
      await server.stop();
    }
  }
  if (readFileSync(settings, "utf8") !== before)
    throw new Error(`Next changed tsconfig.json: ${readFileSync(settings, "utf8")}`);
}

/** @param {string} origin */
async function chatThrough(origin) {
  const chat = await refundInChat(`${origin}/api`);
  for (const path of ["/", `/chat/${chat}`]) {
    const response = await fetch(`${origin}${path}`);
    const page = await response.text();
    if (!response.ok || !page.includes("Loading")) throw new Error(`${path} answered ${response.status}: ${page}`);
  }
  const { status } = await fetch(`${origin}/api/runs`, { headers: { origin: "https://evil.example" } });
  if (status !== 403) throw new Error(`A page of another site got ${status} from the routes.`);
}
