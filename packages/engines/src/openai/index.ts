export { layer, make, type OpenAiOptions } from "./OpenAi.js"
