import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { siteFeed, siteTags } from "@earmark/core/publishing"
import type { ExtraStaff } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { feedTextOf, tagsInto } from "../../src/publish/feedTags.js"
import { finishedJobs } from "../../src/publish/publishedJobs.js"
import { writeSite } from "../../src/publish/writeSite.js"
import { inPlace, newLibrary, T, workOn } from "../library/world.js"

const BASE = "https://example.org/words/"

let sites = 0
const newSite = () => inPlace(`site-${sites++}`)

const episode = (name: string, began: number, state = "1") => {
  const work = workOn(name, began, state)
  const shown = {
    kind: "episode",
    url: `https://media.example/${name}`,
    feedUrl: "https://example.org/feed.xml",
    episodeGuid: `guid ${name}`,
  } as const
  return { ...work, found: { ...work.found, shown } }
}

type Library = ReturnType<typeof newLibrary>["library"]

const site = (library: Library, folder: string, baseUrl: string | null = BASE, title = "My show") =>
  Effect.gen(function* () {
    const jobs = yield* finishedJobs(library, [])
    return yield* writeSite(library, jobs, {
      version: "0.1.0",
      folder,
      title,
      baseUrl,
      feedOf: (made) => Effect.succeed([siteFeed(made.baseUrl, made)]),
    })
  })

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

describe("a static site of a library", () => {
  it.effect("has a page, captions and a search for each transcript, a feed and a site map", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("12.mp3", T), "good morning", "and <b>welcome</b>")
      yield* keep(workOn("own.mp3", T + 1), "just mine")
      const folder = newSite()
      const made = yield* site(library, folder)
      assert.deepInclude(made, { episodes: 2, removed: 0, unchanged: 0 })
      const files = filesIn(folder)
      const [own, first] = (yield* library.list({})).data.map(({ id }) => id)
      for (const id of [own, first])
        for (const name of [
          "lines.json",
          "transcript.html",
          "transcript.json",
          "transcript.srt",
          "transcript.vtt",
        ])
          assert.include(files, `t/${id}/${name}`)
      for (const name of ["index.html", "feed.xml", "sitemap.xml", "search/episodes.json", "search/0.json"])
        assert.include(files, name)
      const page = readFileSync(join(folder, `t/${first}/transcript.html`), "utf8")
      assert.include(page, 'src="https://media.example/12.mp3"')
      assert.include(page, "and &lt;b&gt;welcome&lt;/b&gt;")
      assert.include(page, '<a href="../../index.html" dir="auto">My show</a>')
      for (const [, address = ""] of page.matchAll(/(?:href|src)="((?:\.\.\/\.\.\/)?[^":#]+)"/g))
        assert.isTrue(statSync(join(folder, `t/${first}`, address)).isFile(), address)
      assert.notInclude(readFileSync(join(folder, `t/${own}/transcript.html`), "utf8"), "<audio")
      const feed = readFileSync(join(folder, "feed.xml"), "utf8")
      assert.include(feed, `url="${BASE}t/${first}/transcript.vtt" type="text/vtt" language="en"`)
      assert.include(readFileSync(join(folder, "sitemap.xml"), "utf8"), `${BASE}t/${own}/transcript.html`)
      // Nothing in the site tells of this machine.
      for (const name of files) assert.notInclude(readFileSync(join(folder, name), "utf8"), "file://")
    }),
  )

  it.effect("is made after a run that failed half way", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const folder = newSite()
      const jobs = yield* finishedJobs(library, [])
      const options = { version: "0.1.0", folder, title: "My show", baseUrl: BASE }
      const failing = writeSite(library, jobs, { ...options, feedOf: () => Effect.fail("no feed") })
      assert.strictEqual(yield* Effect.flip(failing), "no feed")
      assert.include(filesIn(folder), "sitemap.xml")
      assert.deepInclude(yield* site(library, folder), { episodes: 1, removed: 0 })
      assert.include(filesIn(folder), "index.html")
    }),
  )

  it.effect("shows no summary from before a correction", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary(inPlace("corrected", "library"))
      yield* keep(episode("1.mp3", T), "we met in berlin")
      const [{ id } = assert.fail("no entry")] = (yield* library.list({})).data
      const staff: ExtraStaff = {
        writer: {
          id: "w",
          isRemote: false,
          summarize: ({ segments }) => Effect.succeed(`In short: ${segments[0]?.text}`),
          chapters: () => Effect.succeed([]),
        },
        translator: { id: "t", translate: (texts) => Effect.succeed(texts) },
      }
      const folder = newSite()
      const shown = Effect.map(site(library, folder), () =>
        ["index.html", `t/${id}/transcript.html`]
          .map((name) => readFileSync(join(folder, name), "utf8"))
          .map((page) => /In short: [\w ]+/.exec(page)?.[0] ?? null),
      )
      yield* library.addExtras(id, { summary: true }, staff)
      const before = "In short: we met in berlin"
      assert.deepStrictEqual(yield* shown, [before, before])
      yield* library.edit(id, 0, [{ type: "text", line: 0, text: "we met in Potsdam" }])
      assert.deepStrictEqual(yield* shown, [null, null])
      yield* library.addExtras(id, { summary: true }, staff)
      const after = "In short: we met in Potsdam"
      assert.deepStrictEqual(yield* shown, [after, after])
    }),
  )

  it.effect("is written again only where it has changed", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      yield* keep(episode("2.mp3", T + 1), "two")
      const folder = newSite()
      const first = yield* site(library, folder)
      const times = () => filesIn(folder).map((name) => statSync(join(folder, name)).mtimeMs)
      const before = times()
      const again = yield* site(library, folder)
      assert.deepInclude(again, { written: 0, removed: 0, unchanged: first.written })
      assert.deepStrictEqual(times(), before)
      const [job] = (yield* library.list({})).data
      yield* library.name(job?.id ?? "", { "Speaker 1": "Ann" })
      const named = yield* site(library, folder)
      assert.isAbove(named.written, 0)
      assert.isBelow(named.written, 7)
    }),
  )

  it.effect("loses what was taken out of the library, and keeps files of others", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      yield* keep(episode("2.mp3", T + 1), "two")
      const folder = newSite()
      yield* site(library, folder)
      const [gone, stays] = (yield* library.list({})).data.map(({ id }) => id)
      writeFileSync(join(folder, "CNAME"), "example.org")
      writeFileSync(join(folder, `t/${stays}/notes.txt`), "mine")
      yield* library.remove(gone ?? "")
      const made = yield* site(library, folder)
      assert.strictEqual(made.removed, 5)
      const files = filesIn(folder)
      assert.includeMembers([...files], ["CNAME", `t/${stays}/notes.txt`])
      assert.notInclude(files.join("\n"), gone ?? "none")
      assert.notInclude(readdirSync(join(folder, "t")), gone)
      assert.notInclude(readFileSync(join(folder, "feed.xml"), "utf8"), gone ?? "none")
      // The last one, too.
      yield* library.remove(stays ?? "")
      assert.deepInclude(yield* site(library, folder), { episodes: 0, removed: 5 })
      assert.notInclude(readFileSync(join(folder, "index.html"), "utf8"), stays ?? "none")
    }),
  )

  it.effect("is not made of nothing", () =>
    Effect.gen(function* () {
      const folder = newSite()
      const refused = yield* Effect.flip(site(newLibrary().library, folder))
      assert.deepInclude(refused, { _tag: "SiteRefused", reason: "nothing_finished" })
      assert.isFalse(existsSync(folder))
    }),
  )

  it.effect("refuses a folder with a page of somebody else, and writes nothing there", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const folder = newSite()
      mkdirSync(folder)
      writeFileSync(join(folder, "index.html"), "my page")
      const refused = yield* Effect.flip(site(library, folder))
      assert.match(refused.message, /index\.html is there already and is not of this site/)
      assert.deepStrictEqual(filesIn(folder), ["index.html"])
    }),
  )

  it.effect("writes over no page that somebody has changed since, and says which", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const folder = newSite()
      yield* site(library, folder)
      writeFileSync(join(folder, "index.html"), "my own design")
      const refused = yield* Effect.flip(site(library, folder))
      assert.deepInclude(refused, { _tag: "SiteRefused", reason: "changed_file" })
      assert.strictEqual(readFileSync(join(folder, "index.html"), "utf8"), "my own design")
      rmSync(join(folder, "index.html"))
      assert.strictEqual((yield* site(library, folder)).written, 1)
    }),
  )

  it.effect("takes away no file outside of it, whatever its record says", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const folder = newSite()
      mkdirSync(folder)
      const outside = inPlace(`outside-${sites}.txt`)
      writeFileSync(outside, "mine")
      symlinkSync(outside, join(folder, "sitemap.xml.link"))
      const files = { "../outside.txt": "x", [outside]: "x", "t/../../x": "x", "sitemap.xml.link": "x" }
      writeFileSync(join(folder, ".earmark-site.json"), JSON.stringify({ version: 1, files }))
      yield* site(library, folder)
      assert.strictEqual(readFileSync(outside, "utf8"), "mine")
      assert.include(readdirSync(folder), "sitemap.xml.link")
    }),
  )

  it.effect("has no feed and no site map where its address is not known", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const folder = newSite()
      yield* site(library, folder, null)
      assert.notIncludeMembers(readdirSync(folder), ["feed.xml", "sitemap.xml"])
    }),
  )

  it.effect("names a transcription that is not there", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(episode("1.mp3", T), "one")
      const refused = yield* Effect.flip(finishedJobs(library, ["tr_01m83gwrmavgqe7b96pvksfad0"]))
      assert.strictEqual(refused._tag === "SiteRefused" ? refused.reason : refused._tag, "not_found")
    }),
  )
})

describe("the feed of a podcaster", () => {
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<rss><channel><title>Caf\xe9</title>\n<item><guid>guid 1.mp3</guid></item>\n<item><enclosure url="https://www.podtrac.com/pts/redirect.mp3/media.example/2.mp3"/></item></channel></rss>',
    "latin1",
  )

  it.effect("gets the tags by GUID or recording, and keeps every other byte", () =>
    Effect.gen(function* () {
      const path = inPlace("feed.xml")
      writeFileSync(path, latin)
      const tag = (name: string) => [`<podcast:transcript url="${BASE}${name}" type="text/vtt"/>`]
      const episodes = [
        { guid: "guid 1.mp3", mediaUrl: null, tags: tag("one") },
        { guid: null, mediaUrl: "https://media.example/2.mp3", tags: tag("two") },
      ]
      const made = yield* tagsInto(path, feedTextOf(readFileSync(path)), episodes, BASE)
      assert.deepInclude(made, { items: 2, tagged: 2 })
      const added = made.bytes.toString("latin1")
      assert.strictEqual(
        added
          .replace(' xmlns:podcast="https://podcastindex.org/namespace/1.0"', "")
          .replace(tag("one")[0] ?? "", "")
          .replace(tag("two")[0] ?? "", ""),
        latin.toString("latin1"),
      )
    }),
  )

  it.effect("is refused where it has no episodes", () =>
    Effect.gen(function* () {
      const path = inPlace("page.html")
      writeFileSync(path, "<html></html>")
      const none = yield* Effect.flip(tagsInto(path, feedTextOf(readFileSync(path)), [], BASE))
      assert.match(none.message, /has no episodes/)
    }),
  )
})

describe("the tags of a site", () => {
  it("name its files", () => {
    const tags = siteTags(BASE, {
      id: "tr_1",
      title: "One",
      guid: null,
      publishedAt: 0,
      durationSeconds: 1,
      language: null,
      summary: null,
      mediaUrl: null,
      formats: ["vtt"],
    })
    assert.deepStrictEqual(tags, [
      `<podcast:transcript url="${BASE}t/tr_1/transcript.vtt" type="text/vtt" rel="captions"/>`,
    ])
  })
})
