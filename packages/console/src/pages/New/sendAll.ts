/** Uploads files and makes a transcription of each, two at a time. */
import type { CreateTranscription } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { account, earmark } from "../../session.js"
import { dropUnfinished, keepUnfinished, unfinished } from "./unfinished.js"

/** How far each file is, from 0 to 1. */
export type Sending = ReadonlyMap<File, number>

const AT_ONCE = 2

/** Answers where to go next. What has been sent is not sent again when another file fails and all is tried again. */
export const sendAll = async (
  files: ReadonlyArray<File>,
  wanted: CreateTranscription,
  sending: Signal<Sending>,
): Promise<string> => {
  const owner = account.peek()?.id ?? ""
  const made: Array<string> = []
  const waiting = files.filter((file) => sending.peek().get(file) !== 1)
  const tell = (file: File, share: number) => {
    sending.value = new Map(sending.peek()).set(file, share)
  }
  const send = async (file: File) => {
    tell(file, 0)
    const { media_ref } = await earmark.upload(file, {
      resume: unfinished(owner, file),
      onStart: (mediaRef) => keepUnfinished(owner, file, mediaRef),
      // Done is what the service has made a transcription of.
      onProgress: ({ sent, total }) => tell(file, Math.min(0.99, sent / total)),
    })
    made.push((await earmark.transcriptions.create({ ...wanted, media_ref })).id)
    dropUnfinished(owner, file)
    tell(file, 1)
  }
  const sendOrTakeBack = async (file: File) => {
    try {
      await send(file)
    } catch (error) {
      // It is not under way any more, and can be taken off the list.
      sending.value = new Map([...sending.peek()].filter(([each]) => each !== file))
      throw error
    }
  }
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await sendOrTakeBack(file)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const [only] = made
  return files.length === 1 && only !== undefined
    ? addressOf("transcript", { id: only })
    : addressOf("transcripts")
}
