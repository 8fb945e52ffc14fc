import { seededRandom } from "./random.js"

/** An episode as a feed is generated from it, and as a reader should find it again. */
export interface PodcastEpisode {
  readonly title: string
  readonly guid: string
  readonly publishedAt: number
  readonly durationSeconds: number
  readonly audioUrl: string
  readonly link: string
  readonly image: string
  readonly transcriptUrl: string
  /** HTML. */
  readonly notes: string
}

const WORDS =
  "the host and her guest talk about rivers maps bread winter radio machines cities birds letters café Zürich naïve “quotes” dashes — trains voices money sleep light".split(
    " ",
  )
const NEWEST = Date.UTC(2026, 0, 1, 10)
const SIX_HOURS = 6 * 60 * 60 * 1000

/** Episodes of a show, newest first, six hours apart; the same ones for the same seed. */
export function* podcastEpisodes(count: number, seed = 1): Generator<PodcastEpisode> {
  const random = seededRandom(seed)
  const sentence = (words: number) =>
    Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ")
  for (let index = 0; index < count; index++) {
    const number = count - index
    const guid = `${(0x10000000 + number).toString(16)}-aaaa-4bbb-8ccc-${(0x100000000000 + number).toString(16)}`
    yield {
      title: `${number}: ${sentence(7)} & more`,
      guid,
      publishedAt: NEWEST - index * SIX_HOURS,
      durationSeconds: 600 + Math.floor(random() * 6000),
      audioUrl: `https://redirect.example/media.mp3/stats.example/e/cdn.example/show-${number}.mp3?updated=17${number}&source=feed`,
      link: `https://show.example/episodes/${number}`,
      image: `https://images.example/${guid}/3000x3000.jpg`,
      transcriptUrl: `https://show.example/transcripts/${number}.vtt`,
      notes: notesOf(number, sentence),
    }
  }
}

const notesOf = (number: number, sentence: (words: number) => string) => {
  const links = Array.from(
    { length: 6 },
    (_, place) =>
      `<li><a href="https://show.example/links/${number}/${place}?from=feed&amp;kind=notes">${sentence(6)}</a> (${place}:15)</li>`,
  )
  return `<p>${sentence(40)}</p>\n<p>${sentence(60)} &amp; more</p>\n<ul>\n${links.join("\n")}\n</ul>\n<p>${sentence(30)}</p>`
}
