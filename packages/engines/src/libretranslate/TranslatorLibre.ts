import { trimEndOf } from "@earmark/core/text"
import { Fetcher, Translator, type WorkFailed } from "@earmark/service"
import { Duration, Effect, Layer, Redacted } from "effect"
import { broken, crashed, explained, languageRefused, rejected } from "../failures.js"
import { askServer, type ServerAnswer } from "../http/askServer.js"
import { cutLines, halvesOf } from "../lines.js"
import { type EngineSettingNames, SettingNames } from "../SettingNames.js"
import { isTooLarge, type KnownLanguage, matchCode, readLanguages, readTranslation } from "./protocol.js"

export interface LibreTranslateOptions {
  /** The server (`https://host`), or the whole address of its `/translate`. */
  readonly url: string
  readonly key?: Redacted.Redacted | undefined
  /** Requests at once. */
  readonly concurrency?: number
  /** How long one answer may take. */
  readonly deadline?: Duration.Duration
  /** Between tries, each ±20 %, where the server does not say how long to wait. */
  readonly delays?: ReadonlyArray<Duration.Duration>
}

/** Small enough for the limits that servers set: about 2,000 characters and 50 texts. */
const PART_TOKENS = 700
const MOST_TEXTS = 50
const MOST_MISSING = 0.1
const HAS_LETTERS = /\p{L}/u

interface Pair {
  readonly source: string
  readonly target: string
}

const addressesOf = (url: string) => {
  const base = trimEndOf(url, "/").replace(/\/translate$/, "")
  return { translate: `${base}/translate`, languages: `${base}/languages` }
}

const refusalOf = (host: string, { status }: ServerAnswer, names: EngineSettingNames): WorkFailed => {
  const told = `${host} answered ${status}.`
  if (status === 401 || status === 403)
    return explained(
      broken(told),
      `The translation service refused the key of this server; check ${names.translateKey}.`,
    )
  if (status === 404 || status === 405)
    return explained(
      broken(told),
      `There is no translation service at that address; check ${names.translateUrl}.`,
    )
  return explained(rejected(told), "The translation service refused the request.")
}

const sentenceFor = ({ code, isTransient }: WorkFailed, { translateUrl }: EngineSettingNames): string => {
  if (code === "engine_timeout") return "The translation service took too long; create the job again later."
  return isTransient
    ? "The translation service cannot be reached or is busy; create the job again later."
    : `The translation service cannot be reached; check ${translateUrl}.`
}

/** Any server that speaks the protocol of LibreTranslate. */
export const make = (options: LibreTranslateOptions): Effect.Effect<Translator["Type"], never, Fetcher> =>
  Effect.gen(function* () {
    const { fetch } = yield* Fetcher
    const names = yield* SettingNames
    const { concurrency = 4, deadline = Duration.minutes(2), delays, key } = options
    const addresses = addressesOf(options.url)
    const { host } = new URL(addresses.translate)
    const places = yield* Effect.makeSemaphore(concurrency)
    let takesLists = true
    let known: ReadonlyArray<KnownLanguage> | null = null

    const send = (q: string | ReadonlyArray<string>, pair: Pair) =>
      askServer(fetch, {
        url: addresses.translate,
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: Buffer.from(
          JSON.stringify({
            q,
            ...pair,
            format: "text",
            ...(key === undefined ? {} : { api_key: Redacted.value(key) }),
          }),
        ),
        deadline,
        delays,
      }).pipe(places.withPermits(1))

    /** What the server knows; null where it does not say, and then it is simply asked. */
    const languages = Effect.gen(function* () {
      if (known !== null) return known
      const came = yield* askServer(fetch, {
        url: addresses.languages,
        headers: { accept: "application/json" },
        deadline,
        delays,
      })
      known = came.status === 200 ? readLanguages(came.body) : null
      return known
    })

    const pairFor = Effect.fnUntraced(function* (from: string | null, to: string) {
      const all = yield* languages
      if (all === null) return { source: from ?? "auto", target: to }
      const codes = all.map(({ code }) => code)
      const source = from === null ? null : matchCode(from, codes)
      const targets = all.find(({ code }) => code === source)?.targets ?? codes
      const target = matchCode(to, targets)
      if (target !== null) return { source: source ?? "auto", target }
      return yield* explained(
        languageRefused(host, to),
        `The translation service does not translate into "${to}"; choose one of ${[...targets].sort().join(", ").slice(0, 300)}.`,
      )
    })

    const one = Effect.fnUntraced(function* (text: string, pair: Pair) {
      const came = yield* send(text, pair)
      if (came.status === 200) {
        const answer = readTranslation(came.body)
        return typeof answer === "string" ? answer : (answer?.[0] ?? "")
      }
      return isTooLarge(came.status, came.body) ? "" : yield* refusalOf(host, came, names)
    })

    const oneByOne = (texts: ReadonlyArray<string>, pair: Pair) =>
      Effect.forEach(texts, (text) => one(text, pair), { concurrency })

    const many = (
      texts: ReadonlyArray<string>,
      pair: Pair,
    ): Effect.Effect<ReadonlyArray<string>, WorkFailed> =>
      Effect.gen(function* () {
        if (!takesLists || texts.length === 1) return yield* oneByOne(texts, pair)
        const came = yield* send(texts, pair)
        if (isTooLarge(came.status, came.body)) {
          const halves = yield* Effect.forEach(halvesOf(texts), (half) => many(half, pair))
          return halves.flat()
        }
        const answer = came.status === 200 ? readTranslation(came.body) : null
        if (Array.isArray(answer) && answer.length === texts.length) return answer
        if (came.status !== 200 && came.status !== 400 && came.status !== 422)
          return yield* refusalOf(host, came, names)
        const singly = yield* oneByOne(texts, pair)
        // Another count may be the fault of these texts; a text, or a refusal of what is taken singly, is the way of the server.
        if (!Array.isArray(answer)) takesLists = false
        return singly
      })

    /** What came back blank is asked for once more, by itself. */
    const part = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, pair: Pair) {
      const first = yield* many(texts, pair)
      return yield* Effect.forEach(
        texts,
        (text, at) => {
          const translated = first[at]?.trim() ?? ""
          return translated === "" ? one(text, pair) : Effect.succeed(translated)
        },
        { concurrency },
      )
    })

    const translate = Effect.fn("TranslatorLibre.translate")(function* (
      texts: ReadonlyArray<string>,
      { from, to }: { readonly from: string | null; readonly to: string },
    ) {
      const wanted = texts.filter((text) => HAS_LETTERS.test(text))
      if (wanted.length === 0) return texts
      const pair = yield* pairFor(from, to)
      const parts = cutLines(wanted, (text) => text, { tokens: PART_TOKENS, count: MOST_TEXTS })
      const found = (yield* Effect.forEach(parts, (each) => part(each, pair), { concurrency })).flat()
      const missing = found.filter((text) => text.trim() === "").length
      if (missing > wanted.length * MOST_MISSING) {
        const sentence = `The translation service left ${missing} of ${wanted.length} lines untranslated.`
        return yield* explained(crashed(`${host}: ${sentence}`), sentence)
      }
      let next = 0
      return texts.map((text) => (HAS_LETTERS.test(text) ? (found[next++]?.trim() ?? "") : text))
    })

    return Translator.of({
      id: `libretranslate ${host}`,
      translate: (texts, pair) =>
        Effect.mapError(translate(texts, pair), (failure) => explained(failure, sentenceFor(failure, names))),
    })
  })

export const layer = (options: LibreTranslateOptions): Layer.Layer<Translator, never, Fetcher> =>
  Layer.effect(Translator, make(options))
