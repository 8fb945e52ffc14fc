export { DEFAULT_COMMAND, DEFAULT_MODEL, layer, make, type PocketSphinxOptions } from "./PocketSphinx.js"
