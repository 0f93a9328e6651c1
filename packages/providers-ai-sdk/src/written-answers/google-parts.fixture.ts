import { candidate, counted, gemini, stop } from "./google-events.fixture.ts";
import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

const other = (index: number, parts: readonly Fields[], more: Fields = {}): Fields => ({
  content: { role: "model", parts },
  index,
  ...more,
});
const call = (args: Fields, more: Fields = {}, part: Fields = {}): Fields => ({
  functionCall: { name: "look", args, ...more },
  ...part,
});

/** Parts and ends of Gemini's answers, other than texts and plain calls. */
export const googleParts: Readonly<Record<string, WrittenAnswer>> = {
  "two candidates in one stream (Gemini)": gemini(
    "text-generation",
    { candidates: [other(0, [{ text: "One" }]), other(1, [{ text: "Two" }])], usageMetadata: counted },
    { candidates: [other(1, [{ text: " second." }], stop)], usageMetadata: counted },
    { candidates: [other(0, [{ text: " first." }], stop)], usageMetadata: counted },
  ),
  "parallel calls, the first of them signed (Gemini)": gemini(
    "thought-signatures",
    candidate([{ text: "Both.", thought: true }]),
    candidate([call({ place: "a" }, {}, { thoughtSignature: "c2lnQQ==" })]),
    candidate([call({ place: "b" })]),
    candidate([call({}, { id: "x1" }), { text: "" }], stop),
  ),
  "an empty part (Gemini)": gemini(
    "text-generation",
    candidate([{}]),
    candidate([call({ place: "a" }, {}, { thoughtSignature: "c2lnRQ==" }), {}], stop),
  ),
  "signatures on text, on code and on a picture (Gemini)": gemini(
    "thought-signatures",
    candidate([{ text: "See", thoughtSignature: "c2lnVA==" }]),
    candidate([{ text: " here." }]),
    candidate([{ executableCode: { language: "PYTHON", code: "plot()" }, thoughtSignature: "c2lnQw==" }]),
    candidate([{ codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "NameError: plot" } }]),
    candidate([{ inlineData: { mimeType: "image/webp", data: "UklGRg==" }, thoughtSignature: "c2lnUA==" }], stop),
  ),
  "a call with arguments in pieces (Gemini)": gemini(
    "function-calling",
    candidate([{ functionCall: { name: "look", willContinue: true }, thoughtSignature: "c2lnRg==" }]),
    candidate([
      {
        functionCall: {
          partialArgs: [{ jsonPath: "$.place", stringValue: "he", willContinue: true }],
          willContinue: true,
        },
      },
    ]),
    candidate([{ functionCall: { partialArgs: [{ jsonPath: "$.place", stringValue: "re" }], willContinue: true } }]),
    candidate([{ functionCall: {} }], stop),
  ),
  "places on a map (Gemini)": gemini(
    "maps-grounding",
    candidate([{ text: "Two cafés." }], {
      ...stop,
      groundingMetadata: {
        groundingChunks: [
          { maps: { uri: "https://maps.google.com/?cid=1", title: "Café A", placeId: "places/abc" } },
          { image: { sourceUri: "https://example.org/cafe", imageUri: "https://example.org/c.png", title: "Café B" } },
        ],
        googleMapsWidgetContextToken: "widget-token",
      },
    }),
  ),
  "a page that could not be read (Gemini)": gemini(
    "url-context",
    candidate([{ text: "One of two pages." }], {
      ...stop,
      urlContextMetadata: {
        urlMetadata: [
          { retrievedUrl: "https://example.org/ok", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
          { retrievedUrl: "https://example.org/no", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
        ],
      },
    }),
  ),
  "a text that repeats a source (Gemini)": gemini(
    "safety-settings",
    candidate([{ text: "It was the best" }]),
    candidate([], {
      finishReason: "RECITATION",
      citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 15, uri: "https://example.org/book" }] },
    }),
  ),
  "an answer that was stopped for safety (Gemini)": gemini("safety-settings", candidate([{ text: "First," }]), {
    candidates: [
      {
        finishReason: "SAFETY",
        index: 0,
        safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true }],
      },
    ],
    usageMetadata: counted,
  }),
  "a picture that was not made (Gemini)": gemini(
    "image-generation",
    candidate([], { finishReason: "IMAGE_SAFETY", finishMessage: "Unable to show the generated image." }),
  ),
  "no picture, but a text (Gemini)": gemini(
    "image-generation",
    candidate([{ text: "Which cat do you mean?" }], { finishReason: "NO_IMAGE", finishMessage: "No image was made." }),
  ),
  "a blocked prompt without a word (Gemini)": gemini("safety-settings", {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
  }),
  "speech (Gemini)": gemini(
    "speech-generation",
    candidate([{ inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: "AAAA" } }], stop),
  ),
  "a tool's input that counts (Gemini)": gemini(
    "google-search",
    candidate([{ text: "Counted." }], stop, {
      usageMetadata: {
        promptTokenCount: 10,
        toolUsePromptTokenCount: 90,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 3,
        totalTokenCount: 108,
        serviceTier: "standard",
      },
    }),
  ),
  "a part of tomorrow (Gemini)": gemini(
    "text-generation",
    candidate([{ sketch: { strokes: "up, down" }, partMetadata: { note: "kept" } }, { text: "Drawn." }], stop),
  ),
  "a call that came out wrong (Gemini)": gemini(
    "function-calling",
    candidate([], {
      finishReason: "MALFORMED_FUNCTION_CALL",
      finishMessage: "Malformed function call: print(default_api.look(place='a'))",
    }),
  ),
  "a call without a declared tool (Gemini)": gemini(
    "function-calling",
    candidate([], { finishReason: "UNEXPECTED_TOOL_CALL", finishMessage: "No tools were declared" }),
  ),
};
