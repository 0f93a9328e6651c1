export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
