export { cpuMilliseconds, leastCpuMilliseconds } from "./cpuMilliseconds.js"
export { type DiarizationErrors, diarizationErrors } from "./diarizationErrors.js"
export { atomFeed, jsonFeed, type RssStyle, rdfFeed, rssFeed } from "./feedDocuments.js"
export { type PodcastEpisode, podcastEpisodes } from "./podcasts.js"
export { seededRandom } from "./random.js"
export { generatedRecording, type Recording, type RecordingOptions } from "./recordings.js"
export { type SearchExample, searchExamples } from "./searchExamples.js"
export { sentences } from "./sentences.js"
export {
  canSpeak,
  type SpokenPhones,
  samplesOfWav,
  spokenBy,
  spokenPhones,
  spokenWords,
  type Timed,
  type Voice,
} from "./speech.js"
export { type Started, shareWithin, startErrors } from "./speechScores.js"
export { spokenSentences } from "./spokenSentences.js"
export { type ConversationOptions, conversation } from "./voices.js"
export { type WordStreamOptions, wordStream } from "./wordStream.js"
