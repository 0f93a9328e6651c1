// One process, one first answer. usage: node first-answer.mjs VENDOR WHO ADDRESS, where WHO is "sdk" or "ours".
// Prints the milliseconds since the process began and the CPU time that it took, as JSON.
const [vendor, who, address] = process.argv.slice(2);
const packages = new URL("../../packages/", import.meta.url);

const answers = {
  anthropic: {
    async sdk() {
      const { default: Anthropic } = await import(resolve("anthropic", "@anthropic-ai/sdk"));
      const client = new Anthropic({ apiKey: "x", baseURL: address, maxRetries: 0 });
      const messages = [{ role: "user", content: "Hi" }];
      const { content } = await client.messages.create({ model: "claude-sonnet-5", max_tokens: 64, messages });
      return content[0].text;
    },
    ours: async () => {
      const { anthropic } = await import(built("providers-anthropic"));
      return ask(anthropic("claude-sonnet-5", { apiKey: "x", baseURL: address }));
    },
  },
  google: {
    async sdk() {
      const { GoogleGenAI } = await import(resolve("google", "@google/genai"));
      const client = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: address } });
      return (await client.models.generateContent({ model: "gemini-3-pro", contents: "Hi" })).text;
    },
    ours: async () => {
      const { google } = await import(built("providers-google"));
      return ask(google("gemini-3-pro", { apiKey: "x", baseURL: address }));
    },
  },
  openai: {
    async sdk() {
      const { default: OpenAI } = await import(resolve("openai", "openai"));
      const client = new OpenAI({ apiKey: "x", baseURL: address, maxRetries: 0 });
      return (await client.responses.create({ model: "gpt-5.5", input: "Hi" })).output_text;
    },
    ours: async () => {
      const { openai } = await import(built("providers-openai"));
      return ask(openai("gpt-5.5", { apiKey: "x", baseURL: address }));
    },
  },
};

function built(name) {
  return new URL(`${name}/dist/index.js`, packages).href;
}

function resolve(vendor, name) {
  return import.meta.resolve(name, new URL(`providers-${vendor}/dist/index.js`, packages).href);
}

/** A whole agent, as a user writes it. */
async function ask(model) {
  const { Agent } = await import(built("agent"));
  return (await new Agent({ name: "cold", model }).run("Hi")).text;
}

const text = await answers[vendor][who]();
if (text !== "Hello.") throw new Error(`wrong answer: ${text}`);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now(), cpuMs: (user + system) / 1000 }));
process.exit(0);
