export { EarmarkApi } from "./EarmarkApi.js"
export * as KeylessApi from "./keyless.js"
export { openApiDocument } from "./openapi/document.js"
export { PROBLEM_STATUS } from "./problems.js"
