/** Whatever publishers write: no account gets a text that its own request did not name. docs/explanation/who-gets-which-text.md */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CaptionFile } from "@earmark/core/captions"
import { mediaIdentity, stripCredentials } from "@earmark/core/links"
import {
  type CaptionOffer,
  type EmbeddedCaptions,
  type JobSource,
  type Media,
  MediaDecoder,
  makeEarmark,
  ObjectStoreMemory,
  type ResolvedSource,
  Scripted,
  SourceRefused,
  SourceResolver,
  SpeechEngine,
  StoreMemory,
} from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Stream } from "effect"

const SECONDS = 60

/** Every text has a word of its own, so that whose it is can be read in what comes of it. */
const words = new Map<string, string>()

const wordOf = (kind: "sound" | "inside" | "written" | "named" | "titled", of: string): string => {
  const key = `${kind} ${of}`
  const word = words.get(key) ?? `${kind}${words.size}`
  words.set(key, word)
  return word
}

const WORDS = /(?:sound|inside|written|named|titled)\d+/gi

const wordsIn = (job: unknown): ReadonlySet<string> =>
  new Set(
    JSON.stringify(job)
      .match(WORDS)
      ?.map((word) => word.toLowerCase()),
  )

const textUpTo = (seconds: number, word: string, speaker: string | null): CaptionFile => ({
  format: "vtt",
  language: "en",
  problems: [],
  cues: Array.from({ length: seconds / 5 }, (_, at) => ({
    start: at * 5000,
    end: at * 5000 + 4900,
    speaker,
    lines: [`${word} is what ${word} writes about the matter of ${word}.`],
    words: [],
  })),
})

/** How the server of a caption file answers: not now, with too little, with one text or with another. */
type Answer = "503" | "short" | "text" | "other"

/** What a link leads to, and so who may choose the words of its transcript. */
interface Named {
  readonly link: string
  readonly media: string
  /** Absent for the address of a recording. */
  readonly document?: string
  readonly isFeed: boolean
}

const linksOf = (history: number) => {
  const plain = `https://media.example/${history}.mp3`
  const tracked = `https://pdst.fm/e/media.example/${history}.mp3`
  const film = `https://media.example/${history}.film.mp4`
  const feed = (link: string, media: string, hasText = true): Named => ({
    link,
    media,
    isFeed: true,
    ...(hasText && { document: `${link}.vtt` }),
  })
  const bare = (media: string): Named => ({ link: media, media, isFeed: false })
  return {
    plain: bare(plain),
    tracked: bare(tracked),
    film: bare(film),
    honest: feed(`https://honest.example/${history}/feed`, plain, false),
    written: feed(`https://honest.example/${history}/written`, plain),
    evil: feed(`https://evil.example/${history}/feed`, plain),
    evilFilm: feed(`https://evil.example/${history}/film`, film),
    evilTracker: feed(`https://evil.example/${history}/tracker`, tracked),
    otherEvil: feed(`https://evil.example/${history}/other`, tracked, false),
    subscribed: feed(`https://ann:secret@media.example/${history}/subscribed`, plain),
    otherSubscribed: feed(`https://bob:secret@media.example/${history}/subscribed`, plain, false),
  }
}

type Links = ReturnType<typeof linksOf>

const NAMES: ReadonlyArray<keyof Links> = [
  "plain",
  "tracked",
  "film",
  "honest",
  "written",
  "evil",
  "evilFilm",
  "evilTracker",
  "otherEvil",
  "subscribed",
  "otherSubscribed",
]

const loginIn = (link: string | null): string => (link === null ? "" : new URL(link).username)

const answer = FastCheck.constantFrom<Answer>("503", "short", "text", "other")

interface Options {
  readonly quality?: "fast" | "accurate"
  readonly summary?: true
  readonly chapters?: true
  readonly translate_to?: string
  readonly diarize?: true
}

const step = FastCheck.record({
  account: FastCheck.nat({ max: 2 }),
  name: FastCheck.constantFrom(...NAMES),
  /** A whole feed, or one transcription. */
  isBatch: FastCheck.boolean(),
  answers: FastCheck.tuple(answer, answer),
  // Few, so that the same is asked for again and again.
  options: FastCheck.constantFrom<Options>(
    {},
    { quality: "accurate" },
    { quality: "fast" },
    { summary: true, chapters: true },
    { translate_to: "de" },
    { diarize: true },
  ),
})

type Step = typeof step extends FastCheck.Arbitrary<infer Value> ? Value : never

/** All that may be in the result of a request: bytes that its address answered with, and what the feed that it names wrote. */
const allowedFor = ({ name, options }: Pick<Step, "name" | "options">, links: Links): ReadonlySet<string> => {
  const { link, media, document, isFeed } = links[name]
  const bytes = `${media} ${loginIn(link)}`
  const isText = options.quality !== "accurate"
  return new Set([
    wordOf("sound", bytes),
    ...(isFeed ? [wordOf("titled", link)] : []),
    ...(isText ? [wordOf("inside", bytes)] : []),
    ...(isText && document !== undefined
      ? ["text", "other"].flatMap((text) => [
          wordOf("written", `${document} ${text}`),
          wordOf("named", `${document} ${text}`),
        ])
      : []),
  ])
}

/** Publishers of one history at a time; a caption file is answered as the step under way says. */
const makePublishers = () => {
  let links: Links = linksOf(0)
  let answers: Array<Answer> = []

  const sourceOf = ({ link, media, document, isFeed }: Named): ResolvedSource => ({
    shown: isFeed
      ? { kind: "episode", url: media, feedUrl: stripCredentials(link).url, episodeGuid: "one" }
      : { kind: "media", url: media },
    title: isFeed ? wordOf("titled", link) : null,
    mediaUrl: media,
    identity: mediaIdentity(media),
    isPublic: loginIn(link) === "",
    durationSeconds: SECONDS,
    language: "en",
    captions: document === undefined ? [] : [{ url: document, language: "en", madeBy: "people" }],
  })

  const named = (link: string) => {
    const found = Object.values(links).find((one) => one.link === link)
    return found === undefined
      ? new SourceRefused({
          code: "unresolvable_link",
          failure: "source_unresolvable",
          detail: "The link leads nowhere.",
          later: false,
        })
      : Effect.succeed(found)
  }

  const captions = ({ url }: CaptionOffer) =>
    Effect.sync(() => {
      const told = answers.shift() ?? "text"
      if (told === "503") return null
      const of = `${url} ${told === "other" ? "other" : "text"}`
      return textUpTo(told === "short" ? 10 : SECONDS, wordOf("written", of), wordOf("named", of))
    })

  const resolver = Layer.succeed(SourceResolver, {
    resolve: (asked) => Effect.map(named(asked.type === "blob" ? asked.url : asked.link), sourceOf),
    feed: (link) =>
      Effect.map(named(link), (one) => ({
        feedUrl: one.link,
        title: wordOf("titled", one.link),
        total: 1,
        episodes: [{ ...sourceOf(one), guid: "one", index: 0, publishedAt: null, link: null, image: null }],
      })),
    readFeed: () => Effect.die("nothing is uploaded"),
    captions,
  })

  return {
    resolver,
    begin: (history: number) => {
      links = linksOf(history)
      return links
    },
    answerWith: (given: ReadonlyArray<Answer>) => {
      answers = [...given]
    },
  }
}

/** A server answers each login with other bytes, and so does each service that stands before it. */
const openMedia = (source: JobSource): Media => {
  const address = source.mediaUrl ?? ""
  const bytes = `${address} ${loginIn(source.link)}`
  const sound = Number(/\d+$/.exec(wordOf("sound", bytes))?.[0])
  const windows = [{ index: 0, start: 0, end: SECONDS * 1000, samples: Int16Array.of(sound) }]
  const inside: EmbeddedCaptions = {
    language: "en",
    isDefault: true,
    read: Effect.sync(() => textUpTo(SECONDS, wordOf("inside", bytes), null)),
  }
  return {
    durationSeconds: SECONDS,
    fingerprint: bytes,
    language: "en",
    captions: address.endsWith(".film.mp4") ? [inside] : [],
    cut: "whole",
    warnings: [],
    excerpts: Effect.succeed([]),
    windows: Stream.fromIterable(windows),
    summary: Effect.succeed({ durationSeconds: SECONDS, speech: windows, warnings: [] }),
  }
}

const decoder = Layer.succeed(MediaDecoder, {
  open: (source) => Effect.sync(() => openMedia(source)),
  openFile: () => Effect.die("no file is opened"),
})

const engine = Layer.effect(
  SpeechEngine,
  Effect.map(SpeechEngine, (scripted) => ({
    ...scripted,
    recognize: ({ samples }) =>
      Effect.succeed({
        words: Array.from({ length: SECONDS / 2 }, (_, at) => ({
          text: `sound${samples[0]}`,
          start: at * 2000,
          end: at * 2000 + 1500,
          confidence: 0.9,
          speaker: null,
        })),
        language: { code: "en", confidence: 0.9 },
        warnings: [],
      }),
  })),
).pipe(Layer.provide(Scripted.speech()))

const embedded = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "earmark-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    ),
    (folder) =>
      SqlStore.canEmbed()
        ? Layer.orDie(SqlStore.layerEmbedded({ directory: join(folder, "postgres") }))
        : Layer.orDie(SqlStore.layerPglite({ directory: join(folder, "database") })),
  ),
)

const stores = {
  memory: StoreMemory.layer,
  "the embedded database": Layer.merge(embedded, ObjectStoreMemory.layer),
} as const

describe("hostile publishers", () => {
  for (const [name, store] of Object.entries(stores)) {
    it(`choose no word of a result whose request did not name them: ${name}`, async () => {
      const publishers = makePublishers()
      const earmark = await makeEarmark({
        store,
        surroundings: Layer.mergeAll(Scripted.layer(), publishers.resolver, decoder, engine),
        settings: { billing: false },
      })
      const accounts = await Promise.all(
        ["Ann", "Bob", "Eve"].map((name) => earmark.accounts.create({ name })),
      )
      const origins = new Map<string, number>()
      let histories = 0

      const perform = async ({ account, name, isBatch, answers, options }: Step, links: Links) => {
        const { id = "" } = accounts[account] ?? {}
        const { link, isFeed } = links[name]
        publishers.answerWith(answers)
        const made =
          isBatch && isFeed
            ? (await earmark.podcasts.transcribe(id, { feed: link, ...options })).transcriptions[0]
            : await earmark.transcriptions.create(id, { url: link, ...options })
        const job = await earmark.transcriptions.get(id, made?.id ?? "", { wait: 30, include: "words" })
        if (job.status !== "done") return assert.fail(JSON.stringify(job))
        origins.set(job.origin, (origins.get(job.origin) ?? 0) + 1)
        return job
      }

      const history = async (steps: ReadonlyArray<Step>) => {
        histories += 1
        const links = publishers.begin(histories)
        for (const step of steps) {
          const job = await perform(step, links)
          const allowed = allowedFor(step, links)
          for (const word of wordsIn(job)) assert.isTrue(allowed.has(word), `${step.name}: ${word}`)
          const isWarned = job.warnings.some(({ code }) => code === "captions_incomplete")
          if (isWarned) assert.isDefined(links[step.name].document, `${step.name} has no captions`)
        }
      }

      await FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(step, { minLength: 2, maxLength: 12 }), history),
        { numRuns: name === "memory" ? 60 : 20 },
      )
      // Each way to a result was gone, and not only the safe one.
      for (const origin of ["engine", "captions", "cache"])
        assert.isAbove(origins.get(origin) ?? 0, 0, origin)
      await earmark.close()
    })
  }
})
