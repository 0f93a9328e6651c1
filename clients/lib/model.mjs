// A model over HTTP on the loopback interface: it calls the tool that the input names ("Use send"), then answers "Done.".
import { createServer } from "node:http";

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  total_tokens: 2,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

/** @returns {Promise<{ baseURL: string, close(): void }>} */
export async function startModel() {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => answer(JSON.parse(body), response));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(asked, response) {
  const text = JSON.stringify(asked.input);
  const wanted = /Use (\w+)/.exec(text)?.[1];
  const item =
    wanted !== undefined && !text.includes("function_call_output")
      ? { type: "function_call", id: "fc_1", call_id: "call_1", name: wanted, arguments: "{}", status: "completed" }
      : {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Done.", annotations: [] }],
        };
  const whole = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt-5-mini-2026-01-01",
    output: [item],
    usage,
  };
  setTimeout(
    () => (asked.stream === true ? stream(response, item, whole) : send(response, whole)),
    text.includes("slowly") ? 3_000 : 20,
  );
}

function send(response, whole) {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(whole));
}

function stream(response, item, whole) {
  response.setHeader("content-type", "text/event-stream");
  let sequence_number = 0;
  const write = (type, more) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...more })}\n\n`);
    sequence_number += 1;
  };
  const place = { item_id: item.id, output_index: 0 };
  write("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  if (item.type === "message") {
    write("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress", content: [] } });
    const part = { type: "output_text", text: "", annotations: [] };
    write("response.content_part.added", { ...place, content_index: 0, part });
    for (const delta of ["Do", "ne."]) write("response.output_text.delta", { ...place, content_index: 0, delta });
    write("response.output_text.done", { ...place, content_index: 0, text: "Done." });
  } else {
    write("response.output_item.added", { output_index: 0, item: { ...item, arguments: "" } });
    write("response.function_call_arguments.delta", { ...place, delta: "{}" });
    write("response.function_call_arguments.done", { ...place, arguments: "{}" });
  }
  write("response.output_item.done", { output_index: 0, item });
  write("response.completed", { response: whole });
  response.end();
}
