/** Uploads files, two at a time, and makes a transcription of each. */
import type { CreateTranscription } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { sentenceOf } from "../../cache.js"
import { eachOf } from "../../eachOf.js"
import { account, earmark } from "../../session.js"
import { dropUnfinished, keepUnfinished, unfinished } from "./unfinished.js"

/** How far a file is. */
export interface Sent {
  /** Of its bytes, from 0 to 1. */
  readonly share: number
  /** Once all of it is there. */
  readonly mediaRef: string | null
  readonly isMade: boolean
  /** Why it did not arrive. */
  readonly failure: string | null
  /** Ends the upload that is under way. */
  readonly stop: (() => void) | null
}

const NOTHING_YET: Sent = { share: 0, mediaRef: null, isMade: false, failure: null, stop: null }

/** How far each file is; absent while nothing was sent. */
export type Sending = ReadonlyMap<File, Sent>

/** The files on the list, and how far each is. */
export interface Listed {
  readonly files: Signal<ReadonlyArray<File>>
  readonly sending: Signal<Sending>
}

const AT_ONCE = 2

const ownerOf = (): string => account.peek()?.id ?? ""

const isListed = ({ files }: Listed, file: File): boolean => files.peek().includes(file)

const sentOf = ({ sending }: Listed, file: File): Sent => sending.peek().get(file) ?? NOTHING_YET

/** Does something with each file that is left. The first failure is told at the end. */
const eachLeft = async (
  listed: Listed,
  isLeft: (sent: Sent) => boolean,
  work: (file: File) => Promise<unknown>,
): Promise<void> => {
  const left = listed.files.peek().filter((file) => isLeft(sentOf(listed, file)))
  const failures = await eachOf(left, AT_ONCE, async (file) => {
    if (isListed(listed, file)) await work(file)
  })
  if (failures.length > 0) throw failures[0]
}

const tell = ({ sending }: Listed, file: File, sent: Partial<Sent>): void => {
  sending.value = new Map(sending.peek()).set(file, { ...NOTHING_YET, ...sent })
}

/** Null where the file was taken off the list meanwhile. */
const upload = async (listed: Listed, file: File): Promise<string | null> => {
  const ending = new AbortController()
  const stop = () => ending.abort()
  tell(listed, file, { stop })
  try {
    const { media_ref } = await earmark.upload(file, {
      signal: ending.signal,
      resume: unfinished(ownerOf(), file),
      onStart: (mediaRef) => keepUnfinished(ownerOf(), file, mediaRef),
      onProgress: ({ sent, total }) => tell(listed, file, { share: Math.min(0.99, sent / total), stop }),
    })
    tell(listed, file, { share: 1, mediaRef: media_ref })
    return media_ref
  } catch (error) {
    tell(listed, file, { failure: ending.signal.aborted ? null : sentenceOf(error) })
    if (ending.signal.aborted) return null
    throw error
  }
}

/** The files that have arrived and are not transcribed yet, by what the service calls them. */
export const arrivedOf = (files: ReadonlyArray<File>, sending: Sending): ReadonlyArray<string> =>
  files.flatMap((file) => {
    const { isMade, mediaRef } = sending.get(file) ?? NOTHING_YET
    return isMade || mediaRef === null ? [] : [mediaRef]
  })

/** Whether a file is being sent, or has arrived and is not transcribed yet. */
export const isUnderWay = (files: ReadonlyArray<File>, sending: Sending): boolean =>
  files.some((file) => {
    const { isMade, mediaRef, stop } = sending.get(file) ?? NOTHING_YET
    return !isMade && (mediaRef !== null || stop !== null)
  })

/** What has arrived is not sent again when another file fails and all is tried again. */
export const uploadAll = (listed: Listed): Promise<void> =>
  eachLeft(
    listed,
    ({ mediaRef }) => mediaRef === null,
    (file) => upload(listed, file),
  )

/** Answers where to go next; null where all files were taken off the list. Files that have not arrived are uploaded. */
export const sendAll = async (listed: Listed, wanted: CreateTranscription): Promise<string | null> => {
  const made: Array<string> = []
  await eachLeft(
    listed,
    ({ isMade }) => !isMade,
    async (file) => {
      const mediaRef = sentOf(listed, file).mediaRef ?? (await upload(listed, file))
      if (mediaRef === null || !isListed(listed, file)) return
      const { id } = await earmark.transcriptions.create({ ...wanted, media_ref: mediaRef })
      made.push(id)
      dropUnfinished(ownerOf(), file)
      tell(listed, file, { share: 1, mediaRef, isMade: true })
    },
  )
  const [only] = made
  if (only === undefined) return null
  return listed.files.peek().length === 1 ? addressOf("transcript", { id: only }) : addressOf("transcripts")
}
