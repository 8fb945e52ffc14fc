export { layer, make, type ScriptedOptions } from "./ScriptedEngine.js"
export type { Mischief } from "./scriptedChild.js"
