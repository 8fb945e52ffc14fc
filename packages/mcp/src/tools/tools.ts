/** All tools, in the order in which they are listed. */
import { askTranscript } from "./askTranscript.js"
import { cancelTranscription } from "./cancelTranscription.js"
import { editTranscript } from "./editTranscript.js"
import { exportTranscript } from "./exportTranscript.js"
import { getCreditBalance } from "./getCreditBalance.js"
import { getTranscription } from "./getTranscription.js"
import { listPodcastEpisodes } from "./listPodcastEpisodes.js"
import { listTranscriptions } from "./listTranscriptions.js"
import { makeExtras } from "./makeExtras.js"
import { publishTranscript } from "./publishTranscript.js"
import { searchTranscript } from "./searchTranscript.js"
import type { AnyTool } from "./Tool.js"
import { transcribe } from "./transcribe.js"
import { transcribePodcastFeed } from "./transcribePodcastFeed.js"
import { uploadFile } from "./uploadFile.js"

export const tools: ReadonlyArray<AnyTool> = [
  transcribe,
  getTranscription,
  listTranscriptions,
  searchTranscript,
  askTranscript,
  editTranscript,
  makeExtras,
  exportTranscript,
  publishTranscript,
  uploadFile,
  listPodcastEpisodes,
  transcribePodcastFeed,
  cancelTranscription,
  getCreditBalance,
]
