/** Makes a transcription of each episode that was chosen. */
import type { CreateTranscription } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { earmark } from "../../session.js"
import { type EpisodesWanted, isChosen } from "./Episodes.js"

/** Answers where to go next. What was made is chosen no more: it is not made again when another fails and all is tried again. */
export const startEpisodes = async (
  feed: string,
  options: CreateTranscription,
  wanted: Signal<EpisodesWanted>,
): Promise<string> => {
  const guids = wanted.peek()
  if (!isChosen(guids)) return addressOf("transcripts")
  let address = addressOf("transcripts")
  for (const [at, guid] of guids.entries()) {
    const { id } = await earmark.transcriptions.create({ ...options, url: feed, episode_guid: guid })
    if (guids.length === 1) address = addressOf("transcript", { id })
    wanted.value = guids.slice(at + 1)
  }
  return address
}
