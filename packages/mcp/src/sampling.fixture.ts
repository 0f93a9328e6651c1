import { inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";

/** A server that requests a summary from the client's model, and reads the client's roots. */
export function summaryServer(answers: unknown[], times = 1): McpServer {
  const server = new McpServer({ name: "summary", version: "1" });
  const request = {
    messages: [{ role: "user" as const, content: { type: "text" as const, text: "Summarize: it rained." } }],
    systemPrompt: "Be brief.",
    maxTokens: 5_000,
  };
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  const said = (result: unknown): string => {
    answers.push(result);
    const { content } = result as { readonly content: { readonly text: string } };
    return content.text;
  };
  server.registerTool("summarize", { description: "Summarizes." }, async (ctx) => {
    if (ctx.mcpReq.envelope === undefined) {
      let last = "";
      for (let time = 0; time < times; time += 1) last = said(await ctx.mcpReq.requestSampling(request));
      return text(last);
    }
    const response = inputResponse(ctx.mcpReq.inputResponses, "summary");
    if (response.kind !== "sampling")
      return inputRequired({ inputRequests: { summary: inputRequired.createMessage(request) } });
    return text(said(response.result));
  });
  server.registerTool("folders", { description: "Looks at the client's folders." }, async (ctx) => {
    if (ctx.mcpReq.envelope === undefined) return text(JSON.stringify(await server.server.listRoots()));
    const response = inputResponse(ctx.mcpReq.inputResponses, "roots");
    if (response.kind !== "roots") return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    return text(JSON.stringify({ roots: response.roots }));
  });
  return server;
}
