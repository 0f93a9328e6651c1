export { agUiEncoder, type AgUiEncoder, type AgUiEncoderOptions } from "./ag-ui-encoder.ts";
