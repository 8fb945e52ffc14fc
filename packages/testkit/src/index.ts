export { seededRandom } from "./random.js"
export { sentences } from "./sentences.js"
export { type WordStreamOptions, wordStream } from "./wordStream.js"
