export { seededRandom } from "./random.js"
export { generatedRecording, type Recording, type RecordingOptions } from "./recordings.js"
export { sentences } from "./sentences.js"
export { type WordStreamOptions, wordStream } from "./wordStream.js"
