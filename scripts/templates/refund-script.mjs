/**
 * A project that was created from a template and installed.
 *
 * @typedef {object} TemplateProject
 * @property {string} path
 * @property {Readonly<Record<string, string>>} env points the project's model at the scripted one
 */

/**
 * A model that refunds the order, and reports it once it has the tool's result.
 *
 * @type {import("../../packages/testing/src/index.ts").ScriptFunction}
 */
export const refundScript = ({ messages }) =>
  messages.at(-1)?.role === "tool"
    ? "Your money is on its way."
    : { toolCalls: [{ name: "refund", arguments: { orderId: "1042", amount: 20 } }] };
