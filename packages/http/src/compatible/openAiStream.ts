import { isSpaced } from "@earmark/core/text"
import { Following, type Update } from "@earmark/service"
import { Effect, Stream } from "effect"
import type { Reply, Write } from "../answers/Reply.js"
import { type Failure, refusalOf } from "../answers/refusalOf.js"
import type { Arrived, Caller } from "../requests/Arrived.js"
import { EVENT_HEADERS, makeHeartbeat } from "../routes/liveEvents.js"
import type { Begun, Hearing, HearingFacts } from "./hearing.js"
import { openAiError } from "./openAiRefusal.js"
import type { OpenAiRequest } from "./openAiRequest.js"

const eventOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** The text of lines as they come, as it goes on after the text before. A line that comes again, after a restart, is not told again. */
const makeDeltas = () => {
  let told = 0
  let before = ""
  return ({ event, data }: Update): string => {
    if (event !== "segment" || data.index < told || data.text === "") return ""
    const delta = before !== "" && isSpaced(before, data.text.slice(0, 2)) ? ` ${data.text}` : data.text
    told = data.index + 1
    before = data.text.slice(-2)
    return eventOf({ type: "transcript.text.delta", delta })
  }
}

/** A transcript that is told while it is made: lines as they are recognised, and the whole text at the end. */
export const makeOpenAiStream = (hearing: Hearing, { baseUrl }: HearingFacts) =>
  Effect.gen(function* () {
    const following = yield* Following
    const beat = yield* makeHeartbeat(baseUrl)

    return (begun: Begun<OpenAiRequest>, arrived: Arrived, caller: Caller): Effect.Effect<Reply, Failure> =>
      Effect.map(following.follow(caller.account, begun.id, null), (updates): Reply => {
        const tell = (write: Write) => {
          const deltaOf = makeDeltas()
          const lines = Stream.runForEachChunk(updates ?? Stream.empty, (some) =>
            write([...some].map(deltaOf).join("")),
          )
          return Effect.all([hearing.ended(begun, arrived, caller), lines], { concurrency: 2 }).pipe(
            Effect.map(([{ text }]) => eventOf({ type: "transcript.text.done", text })),
            Effect.catchAll((failure) => Effect.succeed(eventOf(openAiError(refusalOf(failure, baseUrl))))),
            Effect.flatMap(write),
          )
        }
        const live = (write: Write) => Effect.raceFirst(tell(write), Effect.asVoid(beat(write, arrived)))
        return { status: 200, headers: EVENT_HEADERS, body: null, live }
      })
  })
