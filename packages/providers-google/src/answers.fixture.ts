/**
 * Answers as the vendor documents them (https://ai.google.dev/api/generate-content), for cases without a recording.
 *
 * @module
 */

const usage = { usageMetadata: { promptTokenCount: 40, totalTokenCount: 40 } };
const tail = { modelVersion: "gemini-3-pro", responseId: "resp-own" };

/** A prompt that was blocked: there are no candidates. */
export const blockedPrompt: object = {
  promptFeedback: {
    blockReason: "PROHIBITED_CONTENT",
    safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true }],
  },
  ...usage,
  ...tail,
};

/** A candidate with this stop reason and these parts. */
export function ended(finishReason: string, parts: readonly object[] = [], more: object = {}): object {
  const content = parts.length === 0 ? {} : { content: { role: "model", parts } };
  return { candidates: [{ ...content, finishReason, index: 0, ...more }], ...usage, ...tail };
}

/** A malformed call of the model; the vendor returns its text. */
export const malformedCall: object = ended("MALFORMED_FUNCTION_CALL", [], {
  finishMessage: "Malformed function call: print(default_api.look(id='1'",
});

/** An answer with grounding, citations and pages that were read. */
export const grounded: object = ended("STOP", [{ text: "It rains in Oslo." }], {
  groundingMetadata: {
    webSearchQueries: ["weather oslo"],
    searchEntryPoint: { renderedContent: "<div>weather oslo</div>" },
    groundingChunks: [
      { web: { uri: "https://vertexaisearch.example/1", title: "yr.no" } },
      { web: { uri: "https://vertexaisearch.example/1", title: "yr.no" } },
      { retrievedContext: { uri: "gs://bucket/a.pdf", title: "a.pdf", documentName: "documents/a" } },
      { maps: { uri: "https://maps.google.com/?cid=1", title: "Oslo", placeId: "places/1" } },
    ],
    groundingSupports: [{ segment: { endIndex: 17 }, groundingChunkIndices: [0] }],
  },
  citationMetadata: { citations: [{ startIndex: 0, endIndex: 5, uri: "https://example.com/quoted", title: "Quoted" }] },
  urlContextMetadata: {
    urlMetadata: [
      { retrievedUrl: "https://example.com/read", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
      { retrievedUrl: "https://example.com/gone", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
    ],
  },
});

/** Code that the vendor ran, and its own search beside a function. */
export const hostedParts: readonly object[] = [
  { executableCode: { id: "code-1", language: "PYTHON", code: "print(6*7)" }, thoughtSignature: "c2lnLWNvZGU=" },
  { codeExecutionResult: { id: "code-1", outcome: "OUTCOME_OK", output: "42\n" } },
  {
    toolCall: { id: "srv-1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["oslo"] } },
    thoughtSignature: "c2lnLXNlYXJjaA==",
  },
  { toolResponse: { id: "srv-1", toolType: "GOOGLE_SEARCH_WEB", response: { search_suggestions: "…" } } },
  { text: "It is 42." },
];
