/** Extras that were made of an entry after it was finished, in a file beside its content: of these lines, and of no others. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Segment } from "@earmark/core/transcripts"
import type { MadeExtra } from "@earmark/service"
import { Option, Schema } from "effect"
import { writeWhole } from "../state/stateFiles.js"
import { digestOf } from "./editsFile.js"

const { Struct, Literal, Null, Union, Int, String: Text } = Schema

const Chapter = Struct({
  start: Schema.Finite,
  end: Schema.Finite,
  title: Text,
  summary: Schema.optionalWith(Text, { exact: true }),
})

const Made = Union(
  Struct({ kind: Literal("summary"), language: Null, value: Text, revision: Int }),
  Struct({ kind: Literal("chapters"), language: Null, value: Schema.Array(Chapter), revision: Int }),
  Struct({ kind: Literal("translation"), language: Text, value: Schema.Array(Text), revision: Int }),
) satisfies Schema.Schema<MadeExtra, MadeExtra>

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Struct({ version: Literal(1), of: Text, made: Schema.Array(Made) })),
)

const extrasPath = (folder: string, id: string): string => join(folder, `${id}.extras`)

const none: ReadonlyArray<MadeExtra> = []

/** The extras of an entry with these lines. One that cannot be read has none: they can be made again. */
export const extrasOf = (
  folder: string,
  id: string,
  segments: () => ReadonlyArray<Segment>,
): ReadonlyArray<MadeExtra> => {
  let text: string
  try {
    text = readFileSync(extrasPath(folder, id), "utf8")
  } catch {
    return none
  }
  const found = Option.getOrNull(decode(text))
  return found !== null && found.of === digestOf(segments()) ? found.made : none
}

const isSame = (one: MadeExtra, other: MadeExtra): boolean =>
  one.kind === other.kind && one.language === other.language

/** Keeps extras, each in place of an earlier one of the same kind and language. */
export const keepExtras = async (
  folder: string,
  id: string,
  segments: ReadonlyArray<Segment>,
  made: ReadonlyArray<MadeExtra>,
): Promise<void> => {
  const before = extrasOf(folder, id, () => segments)
  const others = before.filter((each) => made.every((extra) => !isSame(each, extra)))
  const file = { version: 1, of: digestOf(segments), made: [...others, ...made] }
  await writeWhole(extrasPath(folder, id), `${JSON.stringify(file)}\n`)
}
