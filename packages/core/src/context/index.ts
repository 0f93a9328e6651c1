export { createTokenEstimator, type TokenEstimator } from "./token-estimate.ts";
