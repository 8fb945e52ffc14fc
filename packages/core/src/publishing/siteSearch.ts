/** The search of a static site: an index in parts, of which a page loads those that a question needs. */
import { type PageFile, pageFile } from "../captions/writers/pageFiles.js"
import { isPlain, textsOf } from "../text/fold.js"

/** A line as the results show it: seconds, speaker and text. */
export type SiteLine = readonly [start: number, speaker: string | null, text: string]

/** An episode in the list that results are named from: title, address of its folder, day. */
export type SiteEntry = readonly [title: string, folder: string, day: string]

const PARTS = 64

/** A word of more lines than these tells nothing by itself: its lines are not listed, and looked at where other words lead. */
const MOST_LINES = 20_000

const ACCENTS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Letters without accents and case. The script of the page has the same rule: a test compares them. */
const folded = (text: string): string => text.normalize("NFKD").replace(ACCENTS, "").toLowerCase()

const pairsOf = (word: string): ReadonlyArray<string> => {
  const letters = Array.from(word)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`)
}

/** The words of a text; of scripts without spaces, each two neighbouring letters. */
export const siteWords = (text: string): ReadonlyArray<string> =>
  isPlain(text)
    ? textsOf(text.toLowerCase())
    : (folded(text).match(WORD) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]))

/** Words that begin with the same two letters are in one part, so that the beginning of a word finds it. */
export const sitePart = (word: string): number =>
  (word.charCodeAt(0) * 31 + (word.length > 1 ? word.charCodeAt(1) : 0)) % PARTS

interface Postings {
  /** Episode, how many of its lines follow, and those, each as the difference to the one before. */
  readonly list: Array<number>
  lines: number
}

/** Gathers the words of a site, an episode at a time. */
export class SiteIndex {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<string, Postings>())
  #episodes = 0

  add(lines: ReadonlyArray<SiteLine>): void {
    const episode = this.#episodes++
    const places = new Map<string, Array<number>>()
    for (const [number, [, , text]] of lines.entries()) {
      for (const word of new Set(siteWords(text))) {
        const known = places.get(word)
        if (known === undefined) places.set(word, [number])
        else known.push(number)
      }
    }
    for (const [word, numbers] of places) this.#put(word, episode, numbers)
  }

  #put(word: string, episode: number, numbers: ReadonlyArray<number>): void {
    const part = this.#parts[sitePart(word)]
    const postings = part?.get(word) ?? { list: [], lines: 0 }
    part?.set(word, postings)
    postings.lines += numbers.length
    if (postings.lines > MOST_LINES) {
      postings.list.length = 0
      return
    }
    postings.list.push(episode, numbers.length)
    let before = 0
    for (const number of numbers) {
      postings.list.push(number - before)
      before = number
    }
  }

  /** The parts as JSON, by their names. A word that is nearly everywhere has 0 for its lines. */
  *files(): Generator<readonly [name: string, text: string]> {
    for (const [number, part] of this.#parts.entries()) {
      const words = [...part].sort(([left], [right]) => (left < right ? -1 : 1))
      const entries = words.map(([word, { list, lines }]) => [word, lines > MOST_LINES ? 0 : list] as const)
      yield [`search/${number}.json`, JSON.stringify(Object.fromEntries(entries))]
    }
  }
}

const SCRIPT = `"use strict"
;(() => {
  const PARTS = ${PARTS}
  const MOST_SHOWN = 50
  const folded = (text) => text.normalize("NFKD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase()
  const unspaced =
    /[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]/u
  const pairs = (word) => {
    const letters = Array.from(word)
    return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter)
  }
  const wordsOf = (text) =>
    (folded(text).match(/[\\p{L}\\p{N}\\p{M}]+/gu) || []).flatMap((word) => (unspaced.test(word) ? pairs(word) : [word]))
  const partOf = (word) => (word.charCodeAt(0) * 31 + (word.length > 1 ? word.charCodeAt(1) : 0)) % PARTS

  const loaded = new Map()
  const load = (name) => {
    if (!loaded.has(name)) {
      const answer = fetch(name).then((found) => (found.ok ? found.json() : Promise.reject(new Error(name))))
      answer.catch(() => loaded.delete(name))
      loaded.set(name, answer)
    }
    return loaded.get(name)
  }

  // The lines of a word by episode; null for a word that is nearly everywhere.
  const placesOf = async (word, isBeginning) => {
    const part = await load("search/" + partOf(word) + ".json")
    const names = isBeginning && word.length > 1 ? Object.keys(part).filter((each) => each.startsWith(word)) : [word]
    const places = new Map()
    for (const name of names) {
      const list = Object.hasOwn(part, name) ? part[name] : []
      if (list === 0) return null
      for (let at = 0; at < list.length; ) {
        const episode = list[at++]
        const end = at + 1 + list[at++]
        const lines = places.get(episode) || new Set()
        places.set(episode, lines)
        for (let line = 0; at < end; at++) lines.add((line += list[at]))
      }
    }
    return places
  }

  // Episodes and lines with every word, those of the newest episodes first.
  const find = async (query) => {
    const words = wordsOf(query)
    const isOpen = !/[\\s"]$/.test(query)
    const all = await Promise.all(words.map((word, at) => placesOf(word, isOpen && at === words.length - 1)))
    const known = all.filter((places) => places !== null).sort((left, right) => left.size - right.size)
    if (known.length === 0) return { isTooCommon: words.length > 0, hits: [] }
    const hits = []
    for (const [episode, lines] of known[0]) {
      for (const line of lines) {
        if (known.every((places) => places.get(episode)?.has(line))) hits.push([episode, line])
      }
    }
    return { isTooCommon: false, hits: hits.sort((left, right) => left[0] - right[0] || left[1] - right[1]) }
  }
  if (typeof document === "undefined") return void Object.assign(globalThis, { earmarkSite: { wordsOf, partOf, find } })

  const field = document.querySelector("input[type=search]")
  const results = document.querySelector("#results")
  const state = document.querySelector("#state")
  const list = document.querySelector("main")
  if (!field || !results || !state || !list) return
  field.hidden = false

  const clock = (seconds) => {
    const rest = String(Math.floor(seconds) % 60).padStart(2, "0")
    const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, "0")
    return Math.floor(seconds / 3600) + ":" + minutes + ":" + rest
  }
  // Marks words without ever reading text as markup.
  const marked = (text, words) => {
    const shown = document.createElement("span")
    shown.dir = "auto"
    for (const piece of text.split(/([\\p{L}\\p{N}\\p{M}]+)/u)) {
      const isHit = wordsOf(piece).some((each) => words.some((word) => each.startsWith(word)))
      const node = isHit ? document.createElement("mark") : document.createTextNode(piece)
      if (isHit) node.textContent = piece
      shown.append(node)
    }
    return shown
  }
  const hitOf = (folder, [start, speaker, text], words) => {
    const item = document.createElement("li")
    const link = document.createElement("a")
    link.href = folder + "transcript.html#t" + Math.round(start * 1000)
    link.textContent = clock(start)
    item.append(link, " ")
    if (speaker) {
      const name = document.createElement("cite")
      name.textContent = speaker + ":"
      item.append(name)
    }
    item.append(marked(text, words))
    return item
  }

  let asked = 0
  const show = async () => {
    const query = field.value.trim() === "" ? "" : field.value
    const turn = ++asked
    list.hidden = query !== ""
    if (query === "") {
      results.replaceChildren()
      state.textContent = ""
      return
    }
    const words = wordsOf(query)
    const { hits, isTooCommon } = await find(query)
    const entries = await load("search/episodes.json")
    const blocks = []
    let last
    for (const [episode, line] of hits.slice(0, MOST_SHOWN)) {
      const [title, folder] = entries[episode]
      const lines = await load(folder + "lines.json")
      if (turn !== asked) return
      if (episode !== last) {
        const heading = document.createElement("h2")
        const link = document.createElement("a")
        link.href = folder + "transcript.html"
        link.textContent = title
        link.dir = "auto"
        heading.append(link)
        blocks.push(heading, document.createElement("ul"))
        last = episode
      }
      if (lines[line]) blocks[blocks.length - 1].append(hitOf(folder, lines[line], words))
    }
    if (turn !== asked) return
    results.replaceChildren(...blocks)
    const count = hits.length === 1 ? "1 line found." : hits.length + " lines found."
    state.textContent = isTooCommon ? "These words are nearly everywhere. Add a rarer one." : count
  }
  const tell = () => {
    state.textContent = "The search could not be loaded. Serve this folder with a web server."
  }
  let timer
  field.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(() => show().catch(tell), 150)
  })
  if (field.value) show().catch(tell)
})()
`

export const searchScript: PageFile = pageFile("search", ".js", SCRIPT)
