/** Transcribes again what has failed here: the same source with the same options, to the same places. */
import { type Head, retryOf } from "@earmark/batch"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.js"
import type { TranscribeRequest } from "../transcribe/TranscribeRequest.js"
import { waitFor } from "../waitFor.js"

/** What hears. Bundled apart, since it is as large as all the rest. */
const loadHost = Effect.promise(() => import("../transcribe/host.js"))

const requestOf = (again: NonNullable<TranscribeRequest["again"]>, head: Head): TranscribeRequest => ({
  sources: [],
  from: null,
  watch: null,
  feedWatch: null,
  episodes: null,
  raw: {},
  again,
  output: null,
  engine: head.again.engine,
  keep: true,
  server: null,
  jobs: 1,
  force: false,
  skipExisting: false,
  retryFailed: true,
  dryRun: false,
  maxMinutes: null,
  maxCredits: null,
  manifest: null,
  json: false,
  quiet: false,
  verbose: false,
  colour: "auto",
  words: [],
})

export const retryHere = Effect.fnUntraced(function* (head: Head) {
  const again = retryOf(head)
  if (again === null) return
  const host = yield* loadHost
  const { exitCode, problem } = yield* waitFor((signal) => host.transcribe(requestOf(again, head), signal))
  if (exitCode !== 0) return yield* new CommandFailed({ message: problem ?? "", exitCode })
})
