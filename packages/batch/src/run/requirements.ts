/** What is asked for and cannot be had: refused before anything is transcribed, moved to a server or paid for. */
import { type ExportFormat, exportFormats } from "@earmark/core/captions"
import { ExportFormat as ServedFormat } from "@earmark/core/wire"
import { Effect } from "effect"
import type { Asked } from "../Asked.js"
import { BatchRefused } from "../BatchRefused.js"
import type { Destination } from "../results/destination.js"

interface Wanted {
  readonly asked: Asked
}

/** What of a request says what is to be made. */
interface Request {
  readonly sources: ReadonlyArray<Wanted>
  readonly feedWatch: Wanted | null
  readonly watch: Wanted | null
  readonly destination: Destination
  /** Where a source asks for none. */
  readonly format: ExportFormat
}

const refusal = (reason: BatchRefused["reason"], subject: string, message: string) =>
  new BatchRefused({ reason, subject, message })

const isServed = (format: ExportFormat): boolean => ServedFormat.literals.some((each) => each === format)

const everything = ({ sources, feedWatch, watch }: Request): ReadonlyArray<Asked> => [
  ...sources.map(({ asked }) => asked),
  ...[feedWatch, watch].flatMap((watched) => (watched === null ? [] : [watched.asked])),
]

/** Fails where a format cannot hold what is asked for, or the server does not do it. */
export const requireDoable = (request: Request, isAtServer: boolean): Effect.Effect<void, BatchRefused> =>
  Effect.gen(function* () {
    const { destination } = request
    const formatsOf = ({ formats }: Asked): ReadonlyArray<ExportFormat> => {
      if (destination.type === "places") return destination.targets.map(({ format }) => format)
      return formats.length > 0 ? formats : [request.format]
    }
    const all = everything(request)
    const wordless = all
      .filter(({ wordLevel }) => wordLevel)
      .flatMap(formatsOf)
      .find((format) => !exportFormats[format].wordLevel)
    if (wordless !== undefined)
      return yield* refusal(
        "format_without_word_times",
        wordless,
        `The format ${wordless} cannot show the time of each word.`,
      )
    if (!isAtServer) return
    const unserved = all.flatMap(formatsOf).find((format) => !isServed(format))
    if (unserved !== undefined)
      return yield* refusal("format_not_served", unserved, `A server does not write ${unserved}.`)
    if (all.some(({ options }) => options.channels === true))
      return yield* refusal("channels_not_served", "", "A server does not take channels for speakers.")
  })
