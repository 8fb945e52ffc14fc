import { trimEndOf } from "@earmark/core/text"
import type { Fetcher } from "@earmark/service"
import { Duration, Effect, Redacted } from "effect"
import { troubleOf } from "../failures.js"
import { askServer, type ServerAnswer } from "../http/askServer.js"
import { type EngineSettingNames, SettingNames } from "../SettingNames.js"
import type { Finding } from "./Finding.js"

/** What an operator says about those who write summaries and chapters, and who translate. */
export interface ExtrasSettings {
  readonly llmUrl: string | null
  readonly llmKey: Redacted.Redacted | null
  readonly llmModel: string | null
  readonly translateUrl: string | null
}

type Fetch = Fetcher["Type"]["fetch"]

const PATIENCE = Duration.seconds(5)

/** What a server says to a request that costs nothing. */
const look = (
  fetch: Fetch,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Effect.Effect<ServerAnswer | string> => {
  if (!URL.canParse(url)) return Effect.succeed(`"${url}" is not a valid address`)
  return askServer(fetch, { url, headers, deadline: PATIENCE, delays: [] }).pipe(
    Effect.match({
      onFailure: (failure): ServerAnswer | string => troubleOf(failure),
      onSuccess: (answer): ServerAnswer | string => answer,
    }),
  )
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
  const base = trimEndOf(llmUrl, "/").replace(/\/chat\/completions$/, "")
  const answer = yield* look(
    fetch,
    `${base}/models`,
    llmKey === null ? {} : { authorization: `Bearer ${Redacted.value(llmKey)}` },
  )
  if (typeof answer === "string")
    return { name, status: "missing", detail: answer, fix: `check ${names.llmUrl}` }
  if (answer.status === 401 || answer.status === 403) {
    const detail = `${llmUrl} refuses the key (${answer.status})`
    return { name, status: "missing", detail, fix: `check ${names.llmKey}` }
  }
  return { name, status: "ok", detail: `${llmModel ?? "the server's own model"} at ${llmUrl}`, fix: null }
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
