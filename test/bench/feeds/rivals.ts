/** One line of the episode list of the API. */
export interface Listed {
  readonly title: string | null
  readonly guid: string | null
  readonly publishedAt: number | null
  readonly durationSeconds: number | null
  readonly audioUrl: string | null
  readonly index: number
  readonly link: string | null
  readonly image: string | null
  readonly transcripts: ReadonlyArray<{
    readonly url: string | null
    readonly type: string | null
    readonly language: string | null
  }>
}

interface Rival<Item> {
  /** The whole document as the library hands it out. */
  readonly parse: (text: string) => ReadonlyArray<Item> | Promise<ReadonlyArray<Item>>
  /** Its item as our record. */
  readonly listed: (item: Item, index: number) => Listed
}

/** Puts rivals of different items into one table. */
const rival = <Item>(parts: Rival<Item>): Rival<unknown> => parts as Rival<unknown>

const instant = (date: unknown): number | null => {
  const time = date instanceof Date ? date.getTime() : Date.parse(String(date))
  return Number.isNaN(time) ? null : time
}

const seconds = (clock: string | number | undefined): number | null =>
  clock === undefined
    ? null
    : String(clock)
        .split(":")
        .reduce((sum, part) => sum * 60 + Number(part), 0)

interface FeedsmithTranscript {
  readonly url?: string
  readonly type?: string
  readonly language?: string
}

interface RssParserItem {
  readonly title?: string
  readonly guid?: string
  readonly isoDate?: string
  readonly link?: string
  readonly enclosure?: { readonly url: string }
  readonly itunes?: { readonly duration?: string; readonly image?: string }
  readonly transcripts?: ReadonlyArray<{ readonly $: Readonly<Record<string, string>> }>
}

/** Loaded on demand, so that each runs alone in its process. */
const loaders: Readonly<Record<string, () => Promise<Rival<unknown>>>> = {
  feedsmith: async () => {
    const { parseRssFeed } = await import("feedsmith")
    type Item = NonNullable<ReturnType<typeof parseRssFeed>["items"]>[number]
    return rival<Item>({
      parse: (text) => parseRssFeed(text).items ?? [],
      listed: (item, index) => ({
        title: item.title ?? null,
        guid: item.guid?.value ?? null,
        publishedAt: instant(item.pubDate),
        durationSeconds: item.itunes?.duration ?? null,
        audioUrl: item.enclosures?.[0]?.url ?? null,
        index,
        link: item.link ?? null,
        image: item.itunes?.image ?? null,
        transcripts: (item.podcast?.transcripts ?? []).map(
          ({ url, type, language }: FeedsmithTranscript) => ({
            url: url ?? null,
            type: type ?? null,
            language: language ?? null,
          }),
        ),
      }),
    })
  },
  // Reads neither durations nor transcripts, and runs all the same.
  "@rowanmanning/feed-parser": async () => {
    const { parseFeed } = await import("@rowanmanning/feed-parser")
    type Item = ReturnType<typeof parseFeed>["items"][number]
    return rival<Item>({
      parse: (text) => parseFeed(text).items,
      listed: (item, index) => ({
        title: item.title,
        guid: item.id,
        publishedAt: instant(item.published),
        durationSeconds: null,
        audioUrl: item.media[0]?.url ?? null,
        index,
        link: item.url,
        image: item.image?.url ?? null,
        transcripts: [],
      }),
    })
  },
  "rss-parser": async () => {
    const { default: Parser } = await import("rss-parser")
    const parser = new Parser<object, RssParserItem>({
      customFields: { item: [["podcast:transcript", "transcripts", { keepArray: true }]] },
    })
    return rival<RssParserItem>({
      parse: async (text) => (await parser.parseString(text)).items,
      listed: (item, index) => ({
        title: item.title ?? null,
        guid: item.guid ?? null,
        publishedAt: instant(item.isoDate),
        durationSeconds: seconds(item.itunes?.duration),
        audioUrl: item.enclosure?.url ?? null,
        index,
        link: item.link ?? null,
        image: item.itunes?.image ?? null,
        transcripts: (item.transcripts ?? []).map(({ $ }) => ({
          url: $.url ?? null,
          type: $.type ?? null,
          language: $.language ?? null,
        })),
      }),
    })
  },
  "podcast-partytime": async () => {
    process.env.LOG_LEVEL = "silent"
    const { parseFeed } = await import("podcast-partytime")
    type Item = NonNullable<ReturnType<typeof parseFeed>>["items"][number]
    return rival<Item>({
      parse: (text) => parseFeed(text)?.items ?? [],
      listed: (item, index) => ({
        title: item.title ?? null,
        guid: item.guid,
        publishedAt: instant(item.pubDate),
        durationSeconds: item.duration ?? null,
        audioUrl: item.enclosure.url,
        index,
        link: item.link ?? null,
        image: item.itunesImage ?? null,
        transcripts: (item.podcastTranscripts ?? []).map(({ url, type, language }) => ({
          url,
          type,
          language: language ?? null,
        })),
      }),
    })
  },
}

export const rivalNames: ReadonlyArray<string> = Object.keys(loaders)

export const loadRival = (name: string): Promise<Rival<unknown>> => {
  const load = loaders[name]
  if (load === undefined) throw new Error(`No rival is called ${name}`)
  return load()
}
