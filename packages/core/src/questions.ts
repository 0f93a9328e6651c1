/**
 * Entry point for everything that shows a question to a person: one view of its facts, and its renderings as plain text,
 * HTML, Markdown and Slack blocks. It has no dependencies, so pages can import it.
 *
 * @module questions
 */
export {
  questionView,
  type QuestionView,
  type ViewCall,
  type ViewedQuestion,
  type ViewPreview,
  type ViewQuote,
  type ViewRemembering,
  type ViewValue,
} from "./questions/question-view.ts";
export { questionText } from "./questions/question-text.ts";
export { questionHtml } from "./questions/question-html.ts";
export { questionMarkdown } from "./questions/question-markdown.ts";
export { questionSlack, type SlackBlock, type SlackPlaces } from "./questions/question-slack.ts";
