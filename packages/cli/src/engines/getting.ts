/** What downloads models, and tries those of somebody's own. */
export { describeDownload, examineModelFolder, rememberAdded, tryModel } from "@earmark/engines"
export { getModel, modelsFor } from "@earmark/runtime"
