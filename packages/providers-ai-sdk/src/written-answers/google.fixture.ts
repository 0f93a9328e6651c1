import { gemini, candidate, stop } from "./google-events.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

/** Answers as Google's pages show them. */
export const googlesAnswers: Readonly<Record<string, WrittenAnswer>> = {
  "a search with its pages (Gemini)": gemini(
    "google-search",
    candidate([{ text: "Spain won." }]),
    candidate([{ text: "", thoughtSignature: "c2ln" }], {
      ...stop,
      groundingMetadata: {
        webSearchQueries: ["euro 2024"],
        searchEntryPoint: { renderedContent: "<div></div>" },
        groundingChunks: [{ web: { uri: "https://example.com/g", title: "G" } }],
        groundingSupports: [
          { segment: { startIndex: 0, endIndex: 10, text: "Spain won." }, groundingChunkIndices: [0] },
        ],
      },
    }),
  ),
  "code that ran (Gemini)": gemini(
    "code-execution",
    candidate([{ thought: true, text: "Count." }]),
    candidate([{ executableCode: { language: "PYTHON", code: "print(1)" }, thoughtSignature: "c2lh" }]),
    candidate([{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } }]),
    candidate([{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }, { text: "One." }], stop),
  ),
  "a signed call with an id (Gemini)": gemini(
    "thought-signatures",
    candidate(
      [
        { functionCall: { id: "fc1", name: "look", args: { place: "here" } }, thoughtSignature: "c2lj" },
        { functionCall: { id: "fc2", name: "look", args: {} } },
      ],
      stop,
    ),
  ),
  "pages that were read (Gemini)": gemini(
    "url-context",
    candidate([{ text: "Read." }], {
      ...stop,
      urlContextMetadata: {
        urlMetadata: [{ retrievedUrl: "https://example.com/u", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" }],
      },
    }),
  ),
  "tools of the vendor that circulate (Gemini)": gemini(
    "tool-combination",
    candidate(
      [
        { toolCall: { toolType: "GOOGLE_SEARCH_WEB", id: "t1", args: { queries: ["x"] } }, thoughtSignature: "c2ld" },
        {
          toolResponse: { toolType: "GOOGLE_SEARCH_WEB", id: "t1", response: { search_suggestions: "s" } },
          thoughtSignature: "c2le",
        },
        { functionCall: { id: "fc3", name: "look", args: { place: "here" } }, thoughtSignature: "c2lf" },
      ],
      stop,
    ),
  ),
  "files that were searched (Gemini)": gemini(
    "file-search",
    candidate([{ text: "Found." }], {
      ...stop,
      groundingMetadata: { groundingChunks: [{ retrievedContext: { title: "doc", text: "t", fileSearchStore: "s" } }] },
    }),
  ),
  "a picture (Gemini)": gemini(
    "image-generation",
    candidate([
      { thought: true, text: "Draw." },
      { thought: true, inlineData: { mimeType: "image/png", data: "aVZC" } },
    ]),
    candidate([{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" }, thoughtSignature: "c2lg" }], stop),
  ),
  "thoughts that used the limit up (Gemini)": gemini("thinking", {
    ...candidate([], { finishReason: "MAX_TOKENS" }),
    candidates: [{ finishReason: "MAX_TOKENS", index: 0 }],
  }),
  "a prompt that was blocked (Gemini)": gemini("safety-settings", {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
    modelVersion: "gemini-3-pro",
  }),
};
