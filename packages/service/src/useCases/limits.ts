import { billableLength } from "@earmark/core/credits"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { counted, isKnownLanguage } from "@earmark/core/text"
import type { Account, PlanLimits } from "@earmark/core/wire"
import { Effect } from "effect"
import type { EngineCapabilities, Translator } from "../ports/Speech.js"
import { FeatureLocked, RequestRefused } from "./refusals.js"
import type { ServiceConfig } from "./ServiceConfig.js"

type Config = ServiceConfig["Type"]

/** What the account's plan allows; what it says nothing about is for the operator's settings. */
export const limitsOf = (account: Pick<Account, "limits">, config: Config): PlanLimits => ({
  maxMediaMinutes: account.limits.maxMediaMinutes ?? config.maxMediaMinutes,
  maxUploadBytes: account.limits.maxUploadBytes ?? config.maxUploadBytes,
  maxWaitingJobs: account.limits.maxWaitingJobs ?? config.maxWaitingJobs,
})

/** Whether the features are there that a purchase unlocks. */
export const isUnlocked = (account: Pick<Account, "isPaid">, config: Config): boolean =>
  account.isPaid || !config.billing

export const requireFeature = (
  account: Pick<Account, "isPaid">,
  feature: FeatureLocked["feature"],
  config: Config,
): Effect.Effect<void, FeatureLocked> =>
  isUnlocked(account, config) ? Effect.void : Effect.fail(new FeatureLocked({ feature }))

const base = (language: string): string => language.toLowerCase().split("-", 1).join("")

const knowsLanguage = ({ languages }: EngineCapabilities, language: string): boolean =>
  languages === "any" ? isKnownLanguage(language) : languages.some((known) => base(known) === base(language))

const unknownDetail = ({ languages }: EngineCapabilities, language: string): string =>
  languages === "any"
    ? `Unknown language "${language}". Use a code such as en, de or pt-BR.`
    : `The speech engine here does not know the language "${language}". It knows ${languages.join(", ")}. \`earmark models list\` shows the languages of every model; whoever runs Earmark gets another one with \`earmark models pull\`.`

const requireLanguage = (
  engine: EngineCapabilities,
  language: string | null,
): Effect.Effect<void, RequestRefused> =>
  language === null || knowsLanguage(engine, language)
    ? Effect.void
    : Effect.fail(
        new RequestRefused({
          code: "language_unsupported",
          detail: unknownDetail(engine, language),
        }),
      )

export const canTranslate = ({ isThere }: Pick<Translator["Type"], "isThere">): boolean => isThere !== false

/** Refused before anything is heard or paid: the extra would only fail. */
export const requireTranslation = (
  translator: Pick<Translator["Type"], "isThere">,
  translateTo: string | null,
): Effect.Effect<void, RequestRefused> =>
  translateTo === null || canTranslate(translator)
    ? Effect.void
    : Effect.fail(
        new RequestRefused({
          code: "language_unsupported",
          detail:
            "No translator is set up here. Ask for the language of the recording, or have a translation service or a text model set up",
          pointer: "#/translate_to",
        }),
      )

/** Refuses a job whose languages this server cannot do. Words that are known already need no engine that knows their language. */
export const requireLanguages = Effect.fnUntraced(function* (
  makers: {
    readonly engine: { readonly capabilities: EngineCapabilities }
    readonly translator: Pick<Translator["Type"], "isThere">
  },
  { language, translateTo, transcriptText }: OptionsSnapshot,
) {
  if (transcriptText === undefined) yield* requireLanguage(makers.engine.capabilities, language)
  yield* requireTranslation(makers.translator, translateTo)
})

/** How much of the media is to be heard, in seconds: what `start_at` and `end_at` leave of it. */
export const heardSeconds = (
  durationSeconds: number | null,
  part: Pick<OptionsSnapshot, "startAt" | "endAt">,
): number | null => (durationSeconds === null ? null : billableLength(durationSeconds * 1000, part) / 1000)

export const isTooLong = (durationSeconds: number | null, { maxMediaMinutes }: PlanLimits): boolean =>
  durationSeconds !== null && maxMediaMinutes !== null && durationSeconds > maxMediaMinutes * 60

/** What whoever wanted more of a media than the plan allows is told. */
export const tooLongDetail = ({ maxMediaMinutes }: PlanLimits): string =>
  `The plan allows ${counted(maxMediaMinutes ?? 0, "minute")}; take a part with start_at and end_at`

export const requireLength = (
  durationSeconds: number | null,
  limits: PlanLimits,
): Effect.Effect<void, RequestRefused> =>
  isTooLong(durationSeconds, limits)
    ? Effect.fail(
        new RequestRefused({
          code: "media_too_long",
          detail: tooLongDetail(limits),
        }),
      )
    : Effect.void
