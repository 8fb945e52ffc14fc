export { localBackend } from "./localBackend.js"
export { stderrLogger } from "./stderrLogger.js"
