/** Uploads files, two at a time, and makes a transcription of each. */
import type { CreateTranscription } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { account, earmark } from "../../session.js"
import { dropUnfinished, keepUnfinished, unfinished } from "./unfinished.js"

/** How far a file is. */
export interface Sent {
  /** Of its bytes, from 0 to 1. */
  readonly share: number
  /** Once all of it is there. */
  readonly mediaRef: string | null
  readonly isMade: boolean
}

/** How far each file is; absent while nothing was sent. */
export type Sending = ReadonlyMap<File, Sent>

const AT_ONCE = 2

const ownerOf = (): string => account.peek()?.id ?? ""

/** Does something with each file, two at a time. */
const eachOf = async (files: ReadonlyArray<File>, work: (file: File) => Promise<unknown>): Promise<void> => {
  const waiting = [...files]
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await work(file)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const upload = async (file: File, sending: Signal<Sending>): Promise<string> => {
  const tell = (share: number, mediaRef: string | null = null) => {
    sending.value = new Map(sending.peek()).set(file, { share, mediaRef, isMade: false })
  }
  tell(0)
  try {
    const { media_ref } = await earmark.upload(file, {
      resume: unfinished(ownerOf(), file),
      onStart: (mediaRef) => keepUnfinished(ownerOf(), file, mediaRef),
      onProgress: ({ sent, total }) => tell(Math.min(0.99, sent / total)),
    })
    tell(1, media_ref)
    return media_ref
  } catch (error) {
    // It is not under way any more, and can be taken off the list.
    sending.value = new Map([...sending.peek()].filter(([each]) => each !== file))
    throw error
  }
}

/** The files that have arrived and are not transcribed yet, by what the service calls them. */
export const arrivedOf = (files: ReadonlyArray<File>, sending: Sending): ReadonlyArray<string> =>
  files.flatMap((file) => {
    const { isMade, mediaRef } = sending.get(file) ?? { isMade: false, mediaRef: null }
    return isMade || mediaRef === null ? [] : [mediaRef]
  })

/** What has arrived is not sent again when another file fails and all is tried again. */
export const uploadAll = (files: ReadonlyArray<File>, sending: Signal<Sending>): Promise<void> =>
  eachOf(
    files.filter((file) => (sending.peek().get(file)?.mediaRef ?? null) === null),
    (file) => upload(file, sending),
  )

/** Answers where to go next. Files that have not arrived are uploaded. */
export const sendAll = async (
  files: ReadonlyArray<File>,
  wanted: CreateTranscription,
  sending: Signal<Sending>,
): Promise<string> => {
  const made: Array<string> = []
  await eachOf(
    files.filter((file) => sending.peek().get(file)?.isMade !== true),
    async (file) => {
      const mediaRef = sending.peek().get(file)?.mediaRef ?? (await upload(file, sending))
      const { id } = await earmark.transcriptions.create({ ...wanted, media_ref: mediaRef })
      made.push(id)
      dropUnfinished(ownerOf(), file)
      sending.value = new Map(sending.peek()).set(file, { share: 1, mediaRef, isMade: true })
    },
  )
  const [only] = made
  return files.length === 1 && only !== undefined
    ? addressOf("transcript", { id: only })
    : addressOf("transcripts")
}
