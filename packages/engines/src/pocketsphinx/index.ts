export { DEFAULT_COMMAND, DEFAULT_MODEL } from "./defaults.js"
export { layer, make, type PocketSphinxOptions } from "./PocketSphinx.js"
