import { lstat, mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { type Cidr, classifyLink, type SocialSite } from "@earmark/core/links"
import { FoundOnce, SourceRefused, WorkFailed } from "@earmark/service"
import { Config, Effect, Either, Layer } from "effect"
import type { Resolve } from "../fetch/resolve.js"
import { type GuardedProxy, guardedProxy } from "./GuardedProxy.js"
import { readPost } from "./postRecord.js"
import { troubleIn } from "./postTroubles.js"
import { type ProgramFailed, type ProgramRun, type Ran, runProgram } from "./runProgram.js"
import { SocialVideo } from "./SocialVideo.js"
import { machineFailed, scratchFolder } from "./scratch.js"

export interface YtDlpOptions {
  /** The program, by name or by path. */
  readonly program?: string
  /** Private ranges that it may reach; the same as those of the `Fetcher`. */
  readonly allow?: ReadonlyArray<Cidr>
  /** The addresses behind a name; the name service of the system by default. */
  readonly resolve?: Resolve
  /** Milliseconds for asking about a post, and for downloading one. */
  readonly describeWithin?: number
  readonly downloadWithin?: number
}

const MEBIBYTE = 1024 * 1024
const OUTPUT_AT_MOST = 10 * MEBIBYTE
/** What the program reads beside the recording: pages, scripts, answers. */
const OVERHEAD = 64 * MEBIBYTE
const AT_ONCE = 4
/** Versions before it know the sites as they were. */
const OLDEST_USEFUL = "2025"

/** Extractors by site: an address of one site never gets to that of another, and the one that takes any address is not among them. */
const EXTRACTORS: Readonly<Record<SocialSite, string>> = {
  youtube: "youtube.*",
  tiktok: "tiktok.*,vm\\.tiktok",
  instagram: "instagram.*",
  x: "twitter.*",
  facebook: "facebook.*",
  reddit: "reddit.*",
  vimeo: "vimeo.*",
  twitch: "twitch.*",
  bluesky: "bluesky.*",
  linkedin: "linkedin.*",
  soundcloud: "soundcloud.*",
}

/** The post as core writes it, and its site; null for everything that the program must not see. */
const postAt = (address: string): { readonly url: string; readonly site: SocialSite } | null =>
  Either.match(classifyLink(address), {
    onLeft: () => null,
    onRight: (link) => (link.kind === "social" ? { url: knownForm(link.url), site: link.site } : null),
  })

/** The name that every version of the program knows the site by. */
const knownForm = (url: string): string => url.replace(/^https:\/\/x\.com\//, "https://twitter.com/")

const commonArgs = (site: SocialSite): ReadonlyArray<string> => [
  "--ignore-config",
  "--no-config-locations",
  "--no-update",
  "--no-cache-dir",
  "--no-cookies",
  "--no-cookies-from-browser",
  "--no-exec",
  "--no-warnings",
  "--no-progress",
  "--no-playlist",
  ...["--playlist-items", "1"],
  ...["--use-extractors", EXTRACTORS[site]],
  ...["--socket-timeout", "15"],
  ...["--retries", "2"],
  ...["--extractor-retries", "1"],
  ...["--fragment-retries", "2"],
]

/** The way out is told in the environment: arguments are in the list of processes, which every user reads. */
const wayOut = ({ url }: GuardedProxy): Readonly<Record<string, string>> => ({
  http_proxy: url,
  https_proxy: url,
  all_proxy: url,
})

const downloadArgs = (maxBytes: number, folder: string): ReadonlyArray<string> => [
  // Sound alone where there is such, else the smallest film. Nothing is joined or repaired afterwards.
  ...["--format", "bestaudio/worst"],
  ...["--fixup", "never"],
  ...["--downloader", "native"],
  // Fetching through another program would pass by the guard: there is none in this folder.
  ...["--ffmpeg-location", join(folder, "none")],
  ...["--max-filesize", String(maxBytes)],
  "--no-continue",
  "--no-part",
  "--no-mtime",
  ...["--match-filters", "!is_live"],
  ...["--output", join(folder, "clip")],
]

const FAILED: Readonly<
  Record<ProgramFailed["reason"], readonly [WorkFailed["code"], isTransient: boolean, detail: string]>
> = {
  not_started: ["internal_error", true, "The program that reads social sites could not be started."],
  too_slow: ["download_timeout", true, "The site was too slow; try again later."],
  too_much_output: ["source_unresolvable", false, "The site told more about this post than is read."],
  too_many_bytes: ["media_too_large", false, "The recording is larger than this server accepts."],
}

const refused = (failed: ProgramFailed): SourceRefused => {
  const [failure, later, detail] = FAILED[failed.reason]
  return new SourceRefused({ code: "unresolvable_link", failure, detail, later })
}

const notASocialPost = (): SourceRefused =>
  new SourceRefused({
    code: "source_not_supported",
    failure: "source_unresolvable",
    detail: "This is not the address of a post on a social site that can be read.",
    later: false,
  })

const live = (): SourceRefused =>
  new SourceRefused({
    code: "source_not_supported",
    failure: "source_unresolvable",
    detail: "This is live or has not begun; paste the address of the recording once it is over.",
    later: false,
  })

/** The one file that the program has left; links are none. */
const fileIn = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const found = await lstat(path)
        if (found.isFile() && name.startsWith("clip")) return { path, bytes: found.size }
      }
      return null
    },
    catch: machineFailed,
  })

const make = Effect.fnUntraced(function* (options: YtDlpOptions) {
  const { program = "yt-dlp", allow = [], describeWithin = 60_000, downloadWithin = 180_000 } = options
  const path = yield* Config.string("PATH").pipe(Config.withDefault("/usr/local/bin:/usr/bin:/bin"))
  const places = yield* Effect.makeSemaphore(AT_ONCE)
  const guard = { allow, ...(options.resolve !== undefined && { resolve: options.resolve }) }

  const run = (bounds: Omit<ProgramRun, "program" | "path">): Effect.Effect<Ran, ProgramFailed> =>
    places.withPermits(1)(runProgram({ program, path, ...bounds }))

  /** What the program complains of is logged, and may have the address of the proxy in it. */
  const runBehind = (proxy: GuardedProxy, bounds: Omit<ProgramRun, "program" | "path" | "environment">) =>
    Effect.map(run({ ...bounds, environment: wayOut(proxy) }), (ran) => ({
      ...ran,
      errors: ran.errors.replaceAll(proxy.secret, "..."),
    }))

  const version = Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* scratchFolder
      const bounds = { folder, deadline: 20_000, maxOutput: 1024, maxBytes: MEBIBYTE }
      const { code, output } = yield* run({ ...bounds, args: ["--ignore-config", "--version"] })
      return code === 0 ? output.trim() : null
    }),
  ).pipe(Effect.orElseSucceed(() => null))

  const missing = yield* FoundOnce.one(
    Effect.gen(function* () {
      const found = yield* version
      if (found === null) return `${program} cannot be run; install yt-dlp to read posts of social sites.`
      if (found < OLDEST_USEFUL) {
        yield* Effect.logWarning(
          `yt-dlp ${found} is old: many sites have changed since. Install a newer one.`,
        )
      }
      return null
    }),
  )

  /** Everything that a run needs and leaves: an empty home and a guarded way out. */
  const surroundings = Effect.fnUntraced(function* (folder: string, maxBytes: number) {
    const home = join(folder, "social")
    yield* Effect.tryPromise({ try: () => mkdir(home, { mode: 0o700 }), catch: machineFailed })
    const proxy = yield* guardedProxy({ ...guard, maxBytes }).pipe(Effect.mapError(machineFailed))
    return { home, proxy }
  })

  const describe = Effect.fn("YtDlp.describe")(function* (address: string) {
    const post = postAt(address)
    if (post === null) return yield* notASocialPost()
    const folder = yield* scratchFolder
    const { home, proxy } = yield* surroundings(folder, OVERHEAD)
    const { code, output, errors } = yield* runBehind(proxy, {
      args: [...commonArgs(post.site), "--skip-download", "--dump-single-json", "--", post.url],
      folder: home,
      deadline: describeWithin,
      maxOutput: OUTPUT_AT_MOST,
      maxBytes: OVERHEAD,
    }).pipe(Effect.mapError(refused))
    const facts = code === 0 ? readPost(output, post.site) : null
    if (facts === "live") return yield* live()
    if (facts !== null) return facts
    yield* Effect.logDebug("A post could not be read", errors)
    const { failure, later, detail } = troubleIn(errors)
    return yield* new SourceRefused({ code: "unresolvable_link", failure, detail, later })
  }, Effect.scoped)

  const download = Effect.fn("YtDlp.download")(function* (
    address: string,
    folder: string,
    { maxBytes }: { readonly maxBytes: number },
  ) {
    const post = postAt(address)
    if (post === null) return yield* new WorkFailed({ code: "source_unresolvable", isTransient: false })
    const { home, proxy } = yield* surroundings(folder, maxBytes + OVERHEAD)
    const ran = yield* runBehind(proxy, {
      args: [...commonArgs(post.site), ...downloadArgs(maxBytes, home), "--", post.url],
      folder: home,
      deadline: downloadWithin,
      maxOutput: OUTPUT_AT_MOST,
      maxBytes: maxBytes + MEBIBYTE,
    }).pipe(
      Effect.mapError((cause) => {
        const [code, isTransient] = FAILED[cause.reason]
        return new WorkFailed({ code, isTransient, cause })
      }),
    )
    const file = yield* fileIn(home)
    if (ran.code === 0 && file !== null && file.bytes <= maxBytes) return file
    const isTooLarge = (file?.bytes ?? 0) > maxBytes || /larger than max-filesize/i.test(ran.output)
    if (isTooLarge) return yield* new WorkFailed({ code: "media_too_large", isTransient: false })
    yield* Effect.logDebug("A post could not be downloaded", ran.errors)
    const { failure, later } = troubleIn(ran.errors)
    return yield* new WorkFailed({ code: failure, isTransient: later })
  }, Effect.scoped)

  return SocialVideo.of({
    missing,
    describe: (post) =>
      describe(post).pipe(
        Effect.catchTag("WorkFailed", ({ code }) =>
          Effect.fail(
            new SourceRefused({
              code: "unresolvable_link",
              failure: code,
              detail: "The post could not be read on this machine just now; try again later.",
              later: true,
            }),
          ),
        ),
      ),
    download,
  })
})

/** Posts of social sites by yt-dlp, which runs behind a guarded way out, in a folder of its own, and never with its generic extractor. */
export const layer = (options: YtDlpOptions = {}) => Layer.effect(SocialVideo, make(options))

/** No program: what the pages of posts give away is all there is. */
export const none = Layer.succeed(SocialVideo, {
  missing: Effect.succeed("No program that reads social sites is configured."),
  describe: () => Effect.fail(notASocialPost()),
  download: () => Effect.fail(new WorkFailed({ code: "source_unresolvable", isTransient: false })),
})
