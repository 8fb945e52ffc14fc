export { seededRandom } from "./random.js"
export { generatedRecording, type Recording, type RecordingOptions } from "./recordings.js"
