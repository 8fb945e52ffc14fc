export { DEFAULT_COMMAND } from "./defaultCommand.js"
export { layer, make, type WhisperOptions } from "./WhisperCpp.js"
