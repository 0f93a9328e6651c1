import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A wire whose SDK has types. */
export type TypedWire = "responses" | "chat" | "messages" | "generate";

/** Types of the vendors' own SDKs for the body of a request, as TypeScript source. */
const bodyTypes: Readonly<Record<TypedWire, { readonly import: string; readonly type: string }>> = {
  responses: {
    import: [
      'import type OpenAI from "openai";',
      "// The SDK asks for an id and a status of an earlier answer; the API takes it without them when nothing is stored.",
      'type Answer = { type: "message"; role: "assistant"; content: (OpenAI.Responses.ResponseOutputText | OpenAI.Responses.ResponseOutputRefusal)[] };',
      'type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "input"> & { input: (OpenAI.Responses.ResponseInputItem | Answer)[] };',
    ].join("\n"),
    type: "Body",
  },
  chat: { import: 'import type OpenAI from "openai";', type: "OpenAI.Chat.ChatCompletionCreateParamsNonStreaming" },
  messages: {
    import: 'import type Anthropic from "@anthropic-ai/sdk";',
    type: "Anthropic.Beta.MessageCreateParamsNonStreaming",
  },
  generate: {
    import: [
      'import type { Content, GenerationConfig, SafetySetting, Tool, ToolConfig } from "@google/genai";',
      "// The SDK's enums are texts in the body.",
      "type Wire<T> = T extends string ? `${T}` : T extends (infer E)[] ? Wire<E>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;",
      "interface Body { contents: Wire<Content>[]; systemInstruction?: Wire<Content>; tools?: Wire<Tool>[]; toolConfig?: Wire<ToolConfig>; generationConfig?: Wire<GenerationConfig>; safetySettings?: Wire<SafetySetting>[] }",
    ].join("\n"),
    type: "Body",
  },
};

/**
 * Checks bodies against the types of the vendor's own SDK, with the compiler.
 *
 * @param wire - The wire of the bodies.
 * @param bodies - Parsed bodies of requests.
 * @returns The compiler's findings, each with the body that it is about.
 */
export function typeErrors(wire: TypedWire, bodies: readonly unknown[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-bodies-"));
  const packages = fileURLToPath(new URL("../../", import.meta.url));
  const { import: imports, type } = bodyTypes[wire];
  const head = imports.split("\n").length;
  try {
    writeFileSync(
      join(folder, "bodies.ts"),
      [imports, ...bodies.map((body, index) => `export const body${index}: ${type} = ${JSON.stringify(body)};`)].join(
        "\n",
      ),
    );
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: "preserve",
          moduleResolution: "bundler",
          target: "es2024",
          lib: ["es2024", "dom", "dom.iterable"],
          skipLibCheck: true,
          types: [],
          paths: {
            openai: [join(packages, "providers-openai/node_modules/openai")],
            "@anthropic-ai/sdk": [join(packages, "providers-anthropic/node_modules/@anthropic-ai/sdk")],
            "@google/genai": [join(packages, "providers-google/node_modules/@google/genai")],
          },
        },
        files: ["bodies.ts"],
      }),
    );
    const compiler = join(packages, "../node_modules/.bin/tsc");
    const { stdout, status, error } = spawnSync(compiler, ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
    if (error !== undefined) throw error;
    if (status === 0) return [];
    return stdout
      .split("\n")
      .filter((line) => line.startsWith("bodies.ts") || line.includes("error TS"))
      .map((line) => {
        const at = Number(/\((\d+),/.exec(line)?.[1]) - head - 1;
        return `${line}\n${JSON.stringify(bodies[at]) ?? ""}`;
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
