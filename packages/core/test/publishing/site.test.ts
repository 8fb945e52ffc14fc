import { createContext, runInContext } from "node:vm"
import {
  type Site,
  SiteIndex,
  type SiteLine,
  searchEntries,
  searchScript,
  siteFeed,
  siteIndex,
  siteMap,
} from "@earmark/core/publishing"
import { readXml } from "@earmark/core/xml"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { sitePart, siteWords } from "../../src/publishing/siteSearch.js"

const BAD = `"><script>alert(1)</script>`

const site: Site = {
  title: `Bread ${BAD}`,
  baseUrl: "https://here.example/t/",
  episodes: [
    {
      id: "tr_1",
      title: `Twelve ${BAD}`,
      guid: `e12 ${BAD}`,
      publishedAt: Date.UTC(2026, 0, 31),
      durationSeconds: 3725,
      language: "en",
      summary: BAD,
      mediaUrl: "https://media.example/12.m4a?a=1&b=2",
      formats: ["vtt", "html", "chapters"],
    },
  ],
}

interface Search {
  readonly wordsOf: (text: string) => ReadonlyArray<string>
  readonly partOf: (word: string) => number
  readonly find: (query: string) => Promise<{
    readonly isTooCommon: boolean
    readonly hits: ReadonlyArray<readonly [number, number]>
  }>
}

/** The script of the page as a browser would run it, with files in place of a server. */
const searchOf = (episodes: ReadonlyArray<ReadonlyArray<SiteLine>>) => {
  const index = new SiteIndex()
  for (const lines of episodes) index.add(lines)
  const files = new Map(index.files())
  const loaded: Array<string> = []
  const fetch = async (name: string) => {
    loaded.push(name)
    return { ok: files.has(name), json: async () => JSON.parse(files.get(name) ?? "") }
  }
  const page: { earmarkSite?: Search } = {}
  runInContext(searchScript.text, createContext(Object.assign(page, { fetch })))
  const search = page.earmarkSite
  assert(search !== undefined)
  const hits = async (query: string) => JSON.parse(JSON.stringify((await search.find(query)).hits))
  return { search, hits, loaded }
}

const line = (text: string, start = 0): SiteLine => [start, null, text]

describe("the search of a site", () => {
  const episodes = [
    [line("Good morning, and welcome to the museum."), line("The Café opens at nine.")],
    [line("Museums are closed on Mondays."), line("图书馆今天开放"), line("constructor and toString")],
  ]

  it("finds lines with every word, by episode and line", async () => {
    const { hits } = searchOf(episodes)
    assert.deepStrictEqual(await hits("welcome museum "), [[0, 0]])
    assert.deepStrictEqual(await hits("welcome monday "), [])
    assert.deepStrictEqual(await hits("nothing"), [])
  })

  it("finds the beginning of the last word, without accents and case", async () => {
    const { hits } = searchOf(episodes)
    assert.deepStrictEqual(await hits("MUSEU"), [
      [0, 0],
      [1, 0],
    ])
    assert.deepStrictEqual(await hits("museum "), [[0, 0]])
    assert.deepStrictEqual(await hits("cafe"), [[0, 1]])
  })

  it("finds Chinese within its lines", async () => {
    const { hits } = searchOf(episodes)
    assert.deepStrictEqual(await hits("今天"), [[1, 1]])
    assert.deepStrictEqual(await hits("天今"), [])
  })

  it("takes words for words, whatever they are called", async () => {
    const { hits } = searchOf(episodes)
    assert.deepStrictEqual(await hits("constructor "), [[1, 2]])
    assert.deepStrictEqual(await hits("tostring"), [[1, 2]])
    assert.deepStrictEqual(await hits("hasownproperty "), [])
    assert.deepStrictEqual(await hits("__proto__ "), [])
  })

  it("loads only the parts that a question needs", async () => {
    const { hits, loaded } = searchOf(episodes)
    await hits("welcome museum ")
    await hits("museum ")
    assert.lengthOf(loaded, 2)
  })

  it("does not list what is nearly everywhere", async () => {
    const { search, hits } = searchOf([
      Array.from({ length: 20_001 }, (_, at) => line(at === 7 ? "the yeast" : "the dough")),
    ])
    assert.isTrue((await search.find("the ")).isTooCommon)
    assert.deepStrictEqual(await hits("the yeast"), [[0, 7]])
  })

  it("has in its page the same words as in its index", () => {
    const { search } = searchOf([])
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "grapheme" }), (text) => {
        const words = siteWords(text)
        assert.deepStrictEqual(Array.from(search.wordsOf(text)), [...words])
        assert.deepStrictEqual(words.map(search.partOf), words.map(sitePart))
      }),
    )
    for (const text of ["Straße Ünïcode", "ภาษาไทย 日本語テスト", "don’t stop"])
      assert.deepStrictEqual(Array.from(search.wordsOf(text)), [...siteWords(text)])
  })
})

describe("the pages of a site", () => {
  it("show what is hostile as text", () => {
    const html = [...siteIndex(site)].join("")
    assert.deepStrictEqual(html.match(/<script[^>]*>/g), [`<script src="${searchScript.name}" defer>`])
    assert.include(html, '<a href="t/tr_1/transcript.html" dir="auto">Twelve &quot;&gt;&lt;script&gt;')
    assert.include(html, "1:02:05")
    assert.notMatch(searchScript.text, /innerHTML|insertAdjacent|document\.write|eval/)
  })

  it("name the address of each page in the site map", () => {
    const map = siteMap("https://here.example/t/", site)
    assert.isTrue(Either.isRight(readXml(map)))
    assert.include(
      map,
      "<loc>https://here.example/t/t/tr_1/transcript.html</loc><lastmod>2026-01-31</lastmod>",
    )
  })

  it("make a feed with the tags, the type of the recording and its day", () => {
    const feed = siteFeed("https://here.example/t/", site)
    assert.isTrue(Either.isRight(readXml(feed)))
    assert.include(feed, 'url="https://media.example/12.m4a?a=1&amp;b=2" type="audio/mp4"')
    assert.include(feed, "<pubDate>Sat, 31 Jan 2026 00:00:00 GMT</pubDate>")
    assert.lengthOf([...feed.matchAll(/<podcast:(?:transcript|chapters) /g)], 3)
  })

  it("tell the search of each episode by its title, folder and day", () => {
    assert.deepStrictEqual(JSON.parse(searchEntries(site)), [[`Twelve ${BAD}`, "t/tr_1/", "2026-01-31"]])
  })
})
