import { expect, test } from "vitest";
import { chatId, serveChat } from "./chat-page.fixture.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const zip = btoa(`PK\u0003\u0004${"\0".repeat(60)}`);
const program = btoa(`\u007FELF\u0002\u0001\u0001${"\0".repeat(60)}`);

test.each([
  ["image/png", png, 200],
  ["text/plain", btoa("Hello."), 200],
  ["text/csv", btoa("a,b\n1,2"), 200],
  ["application/json", btoa('{"a":1}'), 200],
  ["application/pdf", btoa("%PDF-1.7\n1 0 obj"), 200],
  ["image/jpeg", png, 400],
  ["image/png", btoa("<script>alert(1)</script>"), 400],
  ["application/pdf", program, 400],
  ["text/plain", program, 400],
  ["text/csv", zip, 400],
  ["application/json", btoa("\u00ff\u00fe\u0000"), 400],
])("a file sent as %s is compared with its bytes [server.uploads]", async (mediaType, data, status) => {
  const served = serveChat(["Seen."]);
  const parts = [{ type: "file", mediaType, filename: "f", url: `data:${mediaType};base64,${data}` }];
  const response = await served.send("POST", "/chat", { id: chatId, messages: [{ id: "m", role: "user", parts }] });
  const text = await response.text();
  expect([response.status, status === 200 || text.includes(`sent as \\"${mediaType}\\"`)]).toEqual([status, true]);
  expect((await served.store.listRuns({})).length).toBe(status === 200 ? 1 : 0);
});

test("AG-UI compares the bytes of files too [server.uploads]", async () => {
  const served = serveChat(["Seen."]);
  const file = { type: "document", source: { type: "data", mimeType: "application/pdf", value: zip } };
  const messages = [{ id: "m", role: "user", content: [{ type: "text", text: "Look." }, file] }];
  const response = await served.send("POST", "/ag-ui", { threadId: chatId, runId: "r", messages });
  expect(response.status).toBe(400);
});
