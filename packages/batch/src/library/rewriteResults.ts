/** Files that were written from an entry: once it is edited or its speakers are named, they are written again, unless somebody has changed them since. */
import { dirname, join, resolve } from "node:path"
import { type ExportFormat, exportFormatNames, formatOfName } from "@earmark/core/captions"
import type { SpeakerNames } from "@earmark/core/transcripts"
import { CaptionProfile } from "@earmark/core/wire"
import type { Content } from "@earmark/service"
import type { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { writeFile } from "../results/writeFile.js"
import { makeClaims } from "../state/claims.js"
import { rememberMade } from "../state/made.js"
import { idOf } from "./entries.js"
import { exportEntry } from "./exportEntry.js"
import { type Head, resultsIn } from "./Head.js"

/** What became of the files that were written from an entry. */
export interface Rewritten {
  readonly written: ReadonlyArray<string>
  /** Left alone: somebody has changed them, or they cannot be written. */
  readonly left: ReadonlyArray<string>
}

const Layout = Schema.partial(
  Schema.Struct({
    profile: CaptionProfile,
    maxCharsPerLine: Schema.Number,
    maxLines: Schema.Number,
  }),
)
const Names = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })

/** What a run has noted of a file that it wrote: the state of the source, options, engine, and how the file is written. */
const Asked = Schema.Union(
  Schema.Tuple(Schema.String, Schema.Unknown, Schema.NullOr(Schema.String), Schema.Boolean),
  Schema.Tuple(Schema.String, Schema.Unknown, Schema.NullOr(Schema.String), Schema.Boolean, Names, Layout),
)

const decodeAsked = Schema.decodeUnknownOption(Schema.parseJson(Asked))

/** The ids of entries that a file with this record may have been written from. */
const idsOf = (
  source: string,
  publisher: string | null,
  [state, options, engine]: typeof Asked.Type,
): ReadonlyArray<string> => {
  const asked = JSON.stringify([options, engine])
  return [source, JSON.stringify([source, publisher])].map((identity) => idOf({ identity, state, asked }))
}

const placesOf = ({ again, job }: Head): ReadonlyArray<readonly [string, ExportFormat]> => {
  const formats = new Map(again.places.map(({ path, format }) => [path, format]))
  const paths = new Set([...formats.keys(), ...resultsIn(job.metadata)])
  return [...paths].flatMap((path) => {
    const format = exportFormatNames.find((each) => each === formats.get(path)) ?? formatOfName(path)
    return format === undefined ? [] : [[resolve(path), format] as const]
  })
}

/** The names of the entry; where nobody has named its speakers, those that the file was written with. */
const namesFor = ({ speakers }: Head, ofFile: typeof Names.Type): SpeakerNames =>
  speakers ??
  Object.fromEntries(
    Object.entries(ofFile).flatMap(([label, name]) => (name === null ? [] : [[label, name]])),
  )

export const rewriteResults = (
  folder: string,
  head: Head,
  content: Content,
): Effect.Effect<Rewritten, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { job } = head
    const written: Array<string> = []
    const left: Array<string> = []
    if (job.status !== "done") return { written, left }
    const state = dirname(folder)
    const made = rememberMade(join(state, "made"), makeClaims(join(state, "claims")))
    for (const [path, format] of placesOf(head)) {
      const found = yield* made.own(path)
      const asked = found === null ? null : Option.getOrNull(decodeAsked(found.origin.asked))
      if (found === null || asked === null) continue
      const { source, publisher = null } = found.origin
      if (!idsOf(source, publisher, asked).includes(job.id)) continue
      if (found.isChanged) {
        left.push(path)
        continue
      }
      const [, , , word_level, names = {}, layout = {}] = asked
      const exported = exportEntry(
        job,
        content,
        namesFor(head, names),
        {
          format,
          word_level,
          speakers: true,
          profile: layout.profile,
          max_chars_per_line: layout.maxCharsPerLine,
          max_lines: layout.maxLines,
          language: content.translation?.language,
        },
        { hasId: false },
      )
      if (Either.isLeft(exported)) {
        left.push(path)
        continue
      }
      const isWritten = yield* writeFile(path, exported.right.chunks).pipe(
        Effect.zipRight(made.remember(path, found.origin)),
        Effect.as(true),
        Effect.orElseSucceed(() => false),
      )
      if (isWritten) written.push(path)
      else left.push(path)
    }
    return { written, left }
  })
