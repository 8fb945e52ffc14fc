/** What happens in the account, as the service tells it: one stream for all tabs, and none while no tab is seen. */
import type { AccountEvent } from "@earmark/api/client"
import { account, earmark, may, noteFailure } from "./session.js"

const NAME = "earmark-events"
/** Without a sign from the service for so long, pages ask for themselves. */
const SILENCE = 40_000
/** After a refusal. */
const PAUSE = 30_000

/** An event, or a sign that the stream is good. */
type Message = AccountEvent | null

type Listener = (event: AccountEvent) => void

const listeners = new Set<Listener>()
let heardAt = Number.NEGATIVE_INFINITY
let lastId: string | undefined

/** Whether changes are told at the moment. */
export const isLive = (): boolean => performance.now() - heardAt < SILENCE

export const onEvent = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isOfJobs = ({ type }: AccountEvent): boolean => type !== "credits"
export const isOfCredits = ({ type }: AccountEvent): boolean => type !== "job"

const hear = (message: Message): void => {
  heardAt = performance.now()
  if (message === null) return
  lastId = message.id ?? lastId
  for (const listener of listeners) listener(message)
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Reads the stream and tells the other tabs, until it is called off. */
const lead = async (signal: AbortSignal, channel: BroadcastChannel): Promise<void> => {
  const tell = (message: Message) => {
    hear(message)
    if (!signal.aborted) channel.postMessage(message)
  }
  while (!signal.aborted && account.peek() !== null) {
    try {
      const onActivity = () => tell(null)
      // The next leader goes on where the one before has stopped.
      for await (const event of earmark.transcriptions.eventsAll({ signal, lastEventId: lastId, onActivity }))
        tell(event)
    } catch (error) {
      if (signal.aborted) return
      noteFailure(error)
      await pause(signal)
    }
  }
}

/** Takes part for as long as somebody is signed in. Answers how to stop. */
export const followAccount = (): (() => void) => {
  // Pages poll where the session may not read the stream, and on origins without locks: browsers have them on safe ones only.
  if (navigator.locks === undefined || !may("transcriptions:read")) return () => undefined
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => hear(data))
  let waiting: AbortController | null = null
  const stop = () => {
    waiting?.abort()
    waiting = null
  }
  const look = () => {
    if (document.visibilityState !== "visible") return stop()
    if (waiting !== null) return
    const controller = new AbortController()
    waiting = controller
    navigator.locks
      .request(NAME, { signal: controller.signal }, () => lead(controller.signal, channel))
      .catch(() => undefined)
  }
  document.addEventListener("visibilitychange", look)
  look()
  return () => {
    document.removeEventListener("visibilitychange", look)
    stop()
    channel.close()
    heardAt = Number.NEGATIVE_INFINITY
    lastId = undefined
  }
}
