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
import type { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Struct } from "effect"
import { type CommandFailed, failed } from "../CommandFailed.js"
import type { Library } from "../library/Library.js"
import { documentOf, type FinishedJob } from "./publishedJobs.js"
import { ForeignFile, type SiteCounts, SiteFolder } from "./SiteFolder.js"

export interface SiteOptions {
  readonly folder: string
  readonly title: string
  /** With a slash at its end. */
  readonly baseUrl: string | null
  /** The feed of a site, once its episodes are known. */
  readonly feedOf: (
    site: Site & { readonly baseUrl: string },
  ) => Effect.Effect<Iterable<string | Uint8Array>, CommandFailed, FileSystem.FileSystem | Path.Path>
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const writing = <A>(work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      cause instanceof ForeignFile
        ? failed(
            `${cause.path} is there already and was not written by earmark publish. Move it, or name another folder with --out.`,
          )
        : failed(
            `Could not write the site: ${messageOf(cause)}. Name a folder that you may write to with --out.`,
          ),
  })

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

const episodeOf = (job: FinishedJob, document: ExportDocument): SiteEpisode => ({
  id: job.id,
  title: document.title ?? job.title ?? job.id,
  guid: job.source.episode_guid ?? null,
  publishedAt: Date.parse(job.source.published_at ?? job.created_at),
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
      onLeft: (refused) => Effect.fail(failed(refused.message)),
      onRight: ({ chunks }) => Effect.succeed(chunks),
    },
  )

/** Writes the site, and takes away what is no longer in the library. */
export const writeSite = (library: Library, jobs: ReadonlyArray<FinishedJob>, options: SiteOptions) =>
  Effect.gen(function* () {
    const { baseUrl, title } = options
    const folder = new SiteFolder(options.folder)
    const put = (name: string, content: Iterable<string | Uint8Array>) =>
      writing(() => folder.write(name, content))
    yield* writing(async () => folder.checkTop(["index.html", "feed.xml", "sitemap.xml"]))
    const index = new SiteIndex()
    const episodes: Array<SiteEpisode> = []
    for (const job of jobs) {
      const document = yield* documentOf(library, job.id)
      const episode = episodeOf(job, document)
      const place = episodeFolder(episode)
      for (const format of episode.formats) {
        const content = yield* contentOf(document, format, pageOf(episode, title))
        yield* put(`${place}${publishedFiles[format].name}`, content)
      }
      const lines = linesOf(document)
      index.add(lines)
      yield* put(`${place}lines.json`, [JSON.stringify(lines)])
      episodes.push(episode)
    }
    const site: Site = { title, baseUrl, episodes }
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
