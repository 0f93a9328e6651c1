export { createTokenEstimator, type TokenEstimator } from "./token-estimate.ts";
export { template, type TemplateDependencies, type TemplateValue } from "./template.ts";
