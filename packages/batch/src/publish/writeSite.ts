/** A library as a static site: a page, captions and a search for each transcript. */
import { type ExportDocument, exportTranscript, pageScript, pageStyle } from "@earmark/core/captions"
import {
  episodeFolder,
  type PublishedName,
  publicMediaUrl,
  publishedFiles,
  type Site,
  type SiteEpisode,
  SiteIndex,
  type SiteLine,
  searchEntries,
  searchScript,
  siteIndex,
  siteMap,
} from "@earmark/core/publishing"
import { Effect, Either, Schema, Struct } from "effect"
import { systemReasonOf } from "../results/writeFile.js"
import { documentOf, type FinishedJob, jsonOf, type Shelf } from "./publishedJobs.js"
import { ChangedFile, digestOf, ForeignFile, type SiteCounts, SiteFolder } from "./SiteFolder.js"
import { SiteRefused } from "./SiteRefused.js"

export interface SiteOptions<E, R> {
  readonly folder: string
  readonly title: string
  /** Of the program: every page is written again by another one. */
  readonly version: string
  /** With a slash at its end. */
  readonly baseUrl: string | null
  /** The feed of a site, once its episodes are known. */
  readonly feedOf: (
    site: Site & { readonly baseUrl: string },
  ) => Effect.Effect<Iterable<string | Uint8Array>, E, R>
}

const IS_A_FILE = /\b(?:EEXIST|ENOTDIR)\b/

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return IS_A_FILE.test(message) ? "it is a file, or in one" : systemReasonOf(message)
}

const refusedBecause = (cause: unknown, folder: string): SiteRefused => {
  if (cause instanceof ChangedFile)
    return new SiteRefused({
      reason: "changed_file",
      subject: cause.path,
      message: `${cause.path} was changed since it was written, and would be lost. Move it, or delete it.`,
    })
  return cause instanceof ForeignFile
    ? new SiteRefused({
        reason: "foreign_file",
        subject: cause.path,
        message: `${cause.path} is there already and is not of this site. Move it, or choose another folder.`,
      })
    : new SiteRefused({
        reason: "unwritable",
        subject: folder,
        message: `Could not write the site to ${folder}: ${reasonOf(cause)}. Choose a folder that you may write to.`,
      })
}

const writingTo =
  (folder: string) =>
  <A>(work: () => Promise<A>): Effect.Effect<A, SiteRefused> =>
    Effect.tryPromise({ try: work, catch: (cause) => refusedBecause(cause, folder) })

/** The recording, where players can reach it. */
const mediaOf = ({ source }: FinishedJob): string | null =>
  source.url === undefined || (source.kind !== "episode" && source.kind !== "media")
    ? null
    : publicMediaUrl(source.url)

const SUMMARY_CHARACTERS = 300

/** As much of a summary as a list shows, cut between words. */
const briefly = (summary: string | null | undefined): string | null => {
  const [line = ""] = (summary ?? "").trim().split("\n", 1)
  if (line === "") return null
  return line.length <= SUMMARY_CHARACTERS
    ? line
    : `${line.slice(0, SUMMARY_CHARACTERS).replace(/\s\S*$/, "")}…`
}

const timeOf = ({ source, created_at }: FinishedJob): number => Date.parse(source.published_at ?? created_at)

/** The newest episode first. */
const byDay = (jobs: ReadonlyArray<FinishedJob>): ReadonlyArray<FinishedJob> =>
  [...jobs].sort((left, right) => timeOf(right) - timeOf(left))

const episodeOf = (job: FinishedJob, document: ExportDocument): SiteEpisode => ({
  id: job.id,
  title: document.title ?? job.title ?? job.id,
  guid: job.source.episode_guid ?? null,
  publishedAt: timeOf(job),
  durationSeconds: job.duration_seconds,
  language: document.language,
  summary: briefly(document.summary),
  mediaUrl: mediaOf(job),
  formats: Struct.keys(publishedFiles).filter(
    (format) => format !== "chapters" || (document.chapters ?? []).length > 0,
  ),
})

const linesOf = ({ segments, speakerNames }: ExportDocument): ReadonlyArray<SiteLine> =>
  segments.map(({ start, speaker, text }) => [
    start / 1000,
    speaker === null ? null : (speakerNames?.[speaker] ?? speaker),
    text,
  ])

const fileOf = (format: PublishedName) => ({
  name: publishedFiles[format].name,
  url: publishedFiles[format].name,
  type: publishedFiles[format].type,
})

/** What a page of a site stands among. */
const pageOf = (episode: SiteEpisode, title: string) => ({
  mediaUrl: episode.mediaUrl,
  assets: "../../",
  files: episode.formats.filter((format) => format !== "html").map(fileOf),
  home: { title, url: "../../index.html" },
})

const contentOf = (document: ExportDocument, format: PublishedName, page: ReturnType<typeof pageOf>) =>
  Either.match(
    exportTranscript(document, {
      format: publishedFiles[format].export,
      ...(format === "html" && { page }),
    }),
    {
      onLeft: ({ message }) =>
        new SiteRefused({ reason: "unreadable", subject: document.title ?? "", message }),
      onRight: ({ chunks }) => Effect.succeed(chunks),
    },
  )

const placesOf = (episode: Pick<SiteEpisode, "id" | "formats">): ReadonlyArray<string> => [
  ...episode.formats.map((format) => `${episodeFolder(episode)}${publishedFiles[format].name}`),
  `${episodeFolder(episode)}lines.json`,
]

/** Changes with everything that the files of an episode are made from. */
const digestOfInput = (
  { title, source, created_at }: FinishedJob,
  text: string,
  site: Pick<SiteOptions<never, never>, "title" | "version">,
): string =>
  digestOf(
    JSON.stringify([
      site.version,
      pageStyle.name,
      pageScript.name,
      site.title,
      title,
      source,
      created_at,
      // Told by its digest: as a part of this it would be written once more.
      digestOf(text),
    ]),
  )

const decodeLines = Schema.decodeUnknown(
  Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Finite, Schema.NullOr(Schema.String), Schema.String))),
)

type Put = (name: string, content: Iterable<string | Uint8Array>) => Effect.Effect<void, SiteRefused>

const writeEpisode = Effect.fnUntraced(function* (
  put: Put,
  job: FinishedJob,
  { document, title }: { readonly document: ExportDocument; readonly title: string },
) {
  const episode = episodeOf(job, document)
  const place = episodeFolder(episode)
  for (const format of episode.formats) {
    const content = yield* contentOf(document, format, pageOf(episode, title))
    yield* put(`${place}${publishedFiles[format].name}`, content)
  }
  const lines = linesOf(document)
  yield* put(`${place}lines.json`, [JSON.stringify(lines)])
  return { episode, lines }
})

/** What an earlier run wrote of the same transcript; null where it has to be written. */
const keptEpisode = (folder: SiteFolder, id: string, digest: string) => {
  const known = folder.kept(id, digest, placesOf)
  if (known === null) return Effect.succeed(null)
  const { episode } = known
  return Effect.tryPromise(() => folder.read(`${episodeFolder(episode)}lines.json`)).pipe(
    Effect.flatMap(decodeLines),
    Effect.map((lines) => ({ episode, lines })),
    Effect.orElseSucceed(() => null),
  )
}

const TOP = ["index.html", "feed.xml", "sitemap.xml"]

/** Writes the site, and takes away what is no longer in the library. */
export const writeSite = <E, F, R>(
  library: Pick<Shelf<E>, "show" | "export">,
  jobs: ReadonlyArray<FinishedJob>,
  options: SiteOptions<F, R>,
) =>
  Effect.gen(function* () {
    const { baseUrl, title } = options
    const writing = writingTo(options.folder)
    const folder = new SiteFolder(options.folder)
    // What was deleted leaves a site that is there; an empty one helps nobody.
    if (jobs.length === 0 && !folder.hasSite)
      return yield* new SiteRefused({
        reason: "nothing_finished",
        subject: options.folder,
        message: "There are no finished transcripts to publish. Nothing was written.",
      })
    const put: Put = (name, content) => writing(() => folder.write(name, content))
    yield* writing(async () => folder.checkTop(TOP))
    const index = new SiteIndex()
    const episodes: Array<SiteEpisode> = []
    for (const job of byDay(jobs)) {
      const text = yield* jsonOf(library, job.id)
      const digest = digestOfInput(job, text, options)
      const kept = yield* keptEpisode(folder, job.id, digest)
      const { episode, lines } =
        kept ?? (yield* writeEpisode(put, job, { document: yield* documentOf(job.id, text), title }))
      folder.record({ digest, episode })
      index.add(lines)
      episodes.push(episode)
    }
    const site: Site = { title, baseUrl, episodes }
    yield* writing(() => folder.announce(baseUrl === null ? ["index.html"] : TOP))
    for (const [name, content] of index.files()) yield* put(name, [content])
    yield* put("search/episodes.json", [searchEntries(site)])
    for (const { name, text } of [pageStyle, pageScript, searchScript]) yield* put(name, [text])
    if (baseUrl !== null) {
      yield* put("sitemap.xml", [siteMap(baseUrl, site)])
      yield* put("feed.xml", yield* options.feedOf({ ...site, baseUrl }))
    }
    yield* put("index.html", siteIndex(site))
    const counts: SiteCounts = yield* writing(() => folder.finish())
    return { episodes: episodes.length, ...counts }
  })
