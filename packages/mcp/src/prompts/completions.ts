import type { JobSummary } from "@earmark/core/jobs"
import { decodeListQuery, ExportFormat } from "@earmark/core/wire"
import { Effect } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { reread } from "../tools/Tool.js"

/** More are not offered. */
const MOST = 100

const LANGUAGES = [
  "ar",
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
  "zh",
] as const

const beginning = (values: ReadonlyArray<string>, value: string) =>
  values.filter((each) => each.startsWith(value)).slice(0, MOST)

const newest = Effect.gen(function* () {
  const backend = yield* TranscriptionBackend
  return (yield* backend.ask("transcriptions.list", {
    query: yield* reread(decodeListQuery({ limit: String(MOST) })),
  })).data
})

const isMeant = ({ id, title }: JobSummary, value: string): boolean =>
  id.startsWith(value) || (title ?? "").toLowerCase().startsWith(value.toLowerCase())

/** What an argument of a prompt or of a template may be, given how it begins. */
export const completionsOf = (argument: string, value: string) =>
  Effect.gen(function* () {
    switch (argument) {
      case "language":
        return beginning(LANGUAGES, value.toLowerCase())
      case "format":
        return beginning(ExportFormat.literals, value)
      case "id":
        return (yield* newest).filter((job) => isMeant(job, value)).map(({ id }) => id)
      case "batch_id": {
        const batches = (yield* newest).flatMap(({ batchId }) => (batchId === null ? [] : [batchId]))
        return beginning([...new Set<string>(batches)], value)
      }
      default:
        return []
    }
  })
