/** A list of what was made of each podcast, beside it: `index.json` for programs, `index.html` for people. */
import { dirname, join, relative, sep } from "node:path"
import { Clock, DateTime, Effect } from "effect"
import type { Target } from "../state/made.js"
import { readRecord } from "../state/stateFiles.js"
import type { Facts, Show } from "../work/Workplace.js"
import { type IndexedEpisode, IndexedShow } from "./IndexedShow.js"
import { indexPage } from "./indexPage.js"
import { isThere } from "./pathKind.js"
import { writeFile } from "./writeFile.js"

/** An episode whose results are there. Facts are null when an earlier run made them. */
interface Listed {
  readonly found: Show["episodes"][number]
  readonly facts: Facts | null
  readonly outputs: ReadonlyArray<Target>
}

export interface ShowIndex {
  readonly add: (folder: string, show: Show, listed: Listed) => Effect.Effect<void>
  /** The pages that list what this run has made, or found. */
  readonly pages: () => ReadonlyArray<string>
}

const timeOf = (milliseconds: number): string => DateTime.formatIso(DateTime.unsafeMake(milliseconds))

const asAddress = (path: string): string => path.split(sep).join("/")

/** Newest first; what has no date comes last. */
const newestFirst = (left: IndexedEpisode, right: IndexedEpisode): number =>
  (right.published_at ?? "").localeCompare(left.published_at ?? "") || left.title.localeCompare(right.title)

const described = (folder: string, { found, facts, outputs }: Listed, before: IndexedEpisode | undefined) => {
  const places = outputs.map(({ format, path }) => ({ format, path: asAddress(relative(folder, path)) }))
  const known = places.map(({ path }) => path)
  const episode: IndexedEpisode = {
    guid: found.guid,
    title: found.title ?? found.guid,
    published_at: found.publishedAt === null ? null : timeOf(found.publishedAt),
    link: found.link,
    duration_seconds: facts?.durationSeconds ?? before?.duration_seconds ?? found.seconds,
    words: facts?.words ?? before?.words ?? null,
    speakers: facts?.speakers ?? before?.speakers ?? null,
    language: facts?.language ?? before?.language ?? null,
    origin: facts?.origin ?? before?.origin ?? null,
    summary: facts?.summary ?? before?.summary ?? null,
    outputs: [...(before?.outputs ?? []).filter(({ path }) => !known.includes(path)), ...places],
  }
  return episode
}

/** Both files are replaced whole after each episode: whoever looks never sees half of one. */
export const makeShowIndex = (onTrouble: (folder: string, detail: string) => Effect.Effect<void>) =>
  Effect.map(Effect.context<Effect.Effect.Context<ReturnType<typeof writeFile>>>(), (context): ShowIndex => {
    const turns = Effect.unsafeMakeSemaphore(1)
    const pages = new Set<string>()

    const add = Effect.fnUntraced(function* (folder: string, show: Show, listed: Listed) {
      const file = join(folder, "index.json")
      const page = join(folder, "index.html")
      const before = (yield* readRecord(file, IndexedShow))?.episodes ?? []
      const same = before.find(({ guid }) => guid === listed.found.guid)
      const episode = described(folder, listed, same)
      if (same !== undefined && JSON.stringify(same) === JSON.stringify(episode)) {
        pages.add(page)
        return
      }
      const all = [...before.filter(({ guid }) => guid !== episode.guid), episode]
      const here = yield* Effect.filter(all, ({ outputs }) =>
        Effect.exists(outputs, ({ path }) => isThere(join(folder, path))),
      )
      const index: IndexedShow = {
        show: show.title ?? show.address ?? "standard input",
        feed: show.address,
        updated_at: timeOf(yield* Clock.currentTimeMillis),
        episodes: here.sort(newestFirst),
      }
      yield* writeFile(file, [`${JSON.stringify(index, null, 2)}\n`])
      yield* writeFile(page, [indexPage(index)])
      pages.add(page)
    })

    return {
      pages: () => [...pages],
      add: (folder, show, listed) =>
        add(folder, show, listed).pipe(
          Effect.catchAll(({ message }) => onTrouble(dirname(join(folder, "x")), message)),
          turns.withPermits(1),
          Effect.provide(context),
        ),
    }
  })
