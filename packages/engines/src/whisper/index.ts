export { DEFAULT_COMMAND, layer, make, type WhisperOptions } from "./WhisperCpp.js"
