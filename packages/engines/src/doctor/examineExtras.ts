import { trimEndOf } from "@earmark/core/text"
import { Effect, type Redacted } from "effect"
import { type EngineSettingNames, SettingNames } from "../SettingNames.js"
import { examineEndpoint, type Fetch, look } from "./examineEndpoint.js"
import type { Finding } from "./Finding.js"

/** What an operator says about those who write summaries and chapters, and who translate. */
export interface ExtrasSettings {
  readonly llmUrl: string | null
  readonly llmKey: Redacted.Redacted | null
  readonly llmModel: string | null
  readonly translateUrl: string | null
}

const examineWriter = Effect.fnUntraced(function* (
  fetch: Fetch,
  { llmUrl, llmKey, llmModel }: ExtrasSettings,
  names: EngineSettingNames,
): Effect.fn.Return<Finding> {
  const name = "text model"
  if (llmUrl === null)
    return {
      name,
      status: "unused",
      detail: "summaries and chapters are made of the transcript's own words",
      fix: `set ${names.llmUrl} to an OpenAI-compatible endpoint`,
    }
  return yield* examineEndpoint(fetch, {
    name,
    url: llmUrl,
    key: llmKey,
    names: { url: names.llmUrl, key: names.llmKey },
    detail: `${llmModel ?? "the server's own model"} at ${llmUrl}`,
  })
})

const examineTranslator = Effect.fnUntraced(function* (
  fetch: Fetch,
  { llmUrl, translateUrl }: ExtrasSettings,
  names: EngineSettingNames,
  writer: Finding,
): Effect.fn.Return<Finding> {
  const name = "translator"
  if (translateUrl === null)
    return llmUrl === null
      ? {
          name,
          status: "unused",
          detail: "nothing translates here: a request to translate fails",
          fix: `set ${names.translateUrl} to a LibreTranslate-compatible server, or ${names.llmUrl}`,
        }
      : { name, status: writer.status, detail: "the text model", fix: writer.fix }
  const answer = yield* look(fetch, `${trimEndOf(translateUrl, "/").replace(/\/translate$/, "")}/languages`)
  return typeof answer === "string"
    ? { name, status: "missing", detail: answer, fix: `check ${names.translateUrl}` }
    : { name, status: "ok", detail: translateUrl, fix: null }
})

/** Who would write and translate, and whether they answer. */
export const examineExtras = (
  fetch: Fetch,
  settings: ExtrasSettings,
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.flatMap(SettingNames, (names) =>
    Effect.flatMap(examineWriter(fetch, settings, names), (writer) =>
      Effect.map(examineTranslator(fetch, settings, names, writer), (translator) => [writer, translator]),
    ),
  )
