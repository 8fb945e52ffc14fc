import type { IncomingMessage, RequestListener } from "node:http"
import { parseCidrList } from "@earmark/core/links"
import { Fetcher, type SourceRefused, type SourceRequest, SourceResolver } from "@earmark/service"
import { Effect, Either, Layer, type Scope, TestClock } from "effect"
import {
  FetcherNode,
  type ResolverOptions,
  type SocialVideo,
  SourceResolverWeb,
  YtDlp,
} from "../../src/index.js"
import { httpServer } from "../fetch/servers.js"

/** What the server gives out at a path. A function answers for itself. */
export type Reply =
  | string
  | Uint8Array
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  | RequestListener

export interface World {
  /** `http://127.0.0.1:port`. */
  readonly base: string
  /** Paths may change while the world turns. Those of other hosts begin with `/@host/`. */
  readonly replies: Map<string, Reply>
  readonly requests: ReadonlyArray<{ readonly path: string; readonly headers: IncomingMessage["headers"] }>
  readonly resolve: (
    link: string,
    episode?: { readonly guid: string } | { readonly index: number },
  ) => ReturnType<SourceResolver["Type"]["resolve"]>
  readonly ask: (request: SourceRequest) => ReturnType<SourceResolver["Type"]["resolve"]>
  readonly feed: SourceResolver["Type"]["feed"]
  readonly captions: SourceResolver["Type"]["captions"]
}

export const loopback = Either.getOrThrow(parseCidrList("127.0.0.1/32"))

/** Sends what is meant for other hosts to the one server there is. Everything else is the real door. */
const onLoopback = (base: string) =>
  Layer.map(FetcherNode.layer({ allow: loopback }), (context) => {
    const real = Effect.runSync(Effect.provide(Fetcher, context))
    const there = (address: string) => {
      if (!URL.canParse(address)) return address
      const { hostname, host, pathname, search } = new URL(address)
      return /^[\d.]+$|^\[/.test(hostname) ? address : `${base}/@${host}${pathname}${search}`
    }
    const back = (address: string) =>
      address.replace(new RegExp(`^${base}/@([^/]+)`), (_, host: string) => `https://${host}`)
    const mapped: Fetcher["Type"] = {
      fetch: (request) =>
        Effect.map(real.fetch({ ...request, url: there(request.url) }), (answer) => ({
          ...answer,
          url: back(answer.url),
          ...(answer.movedTo !== undefined && { movedTo: back(answer.movedTo) }),
        })),
      download: (request, path) => real.download({ ...request, url: there(request.url) }, path),
    }
    return Fetcher.context(mapped)
  })

const listener =
  (replies: Map<string, Reply>): RequestListener =>
  (request, response) => {
    const path = request.url ?? "/"
    const reply = replies.get(path) ?? replies.get(path.replace(/\?.*$/, ""))
    if (reply === undefined) response.writeHead(404).end("nothing here")
    else if (typeof reply === "function") reply(request, response)
    else if (typeof reply === "string" || reply instanceof Uint8Array) response.writeHead(200).end(reply)
    else response.writeHead(reply.status ?? 200, { ...reply.headers }).end(reply.body)
  }

/** A little web on this machine, with a resolver that knows the whole of it. */
export const turn = <A, E>(
  replies: Readonly<Record<string, Reply>>,
  use: (world: World) => Effect.Effect<A, E, Scope.Scope>,
  options: ResolverOptions & { readonly social?: Layer.Layer<SocialVideo> } = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { social = YtDlp.none, ...settings } = options
      const known = new Map<string, Reply>(Object.entries(replies))
      const requests: Array<World["requests"][number]> = []
      const { port } = yield* httpServer((request, response) => {
        requests.push({ path: request.url ?? "/", headers: request.headers })
        listener(known)(request, response)
      })
      const base = `http://127.0.0.1:${port}`
      const layer = SourceResolverWeb.layer({ allow: loopback, ...settings }).pipe(
        Layer.provide(Layer.merge(onLoopback(base), social)),
      )
      const resolver = yield* Effect.map(Layer.build(layer), (context) =>
        Effect.runSync(Effect.provide(SourceResolver, context)),
      )
      return yield* use({
        base,
        replies: known,
        requests,
        resolve: (link, episode) => resolver.resolve({ type: "link", link, episode: episode ?? null }),
        ask: resolver.resolve,
        feed: resolver.feed,
        captions: resolver.captions,
      })
    }),
  )

/** Why something is refused, in one line. */
export const said = <A>(asked: Effect.Effect<A, SourceRefused>) =>
  Effect.match(asked, {
    onFailure: ({ code, failure, later }) => `${code} ${failure}${later ? " later" : ""}`,
    onSuccess: () => "fine",
  })

/** The beginning of an MP3, enough to be known by. */
export const mp3 = Buffer.concat([
  Buffer.from("ID3\x04\x00\x00\x00\x00\x00\x00", "latin1"),
  Buffer.alloc(4000, 7),
])

export interface Item {
  readonly title: string
  readonly guid?: string
  readonly audio?: string
  readonly date?: string
  readonly more?: string
}

/** A small feed in RSS. */
export const rss = (items: ReadonlyArray<Item>, channel = ""): string => `<?xml version="1.0"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel><title>A Show</title><language>en</language>${channel}
${items
  .map(
    ({ title, guid = title, audio, date, more = "" }) =>
      `<item><title>${title}</title><guid>${guid}</guid>${date === undefined ? "" : `<pubDate>${date}</pubDate>`}${
        audio === undefined ? "" : `<enclosure url="${audio}" type="audio/mpeg" length="1"/>`
      }${more}</item>`,
  )
  .join("\n")}
</channel></rss>`

/** Episodes 1 to `count`, the last the newest, a day between them. */
export const episodes = (count: number, from = 1): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    const day = String(1 + (number % 28)).padStart(2, "0")
    return {
      title: `Episode ${number}`,
      guid: `guid-${number}`,
      audio: `https://media.example/${number}.mp3`,
      date: `${day} Jan ${2000 + Math.floor(number / 28)} 10:00:00 GMT`,
    }
  })

/** Sets the clock to the first day of 2020. */
export const today = TestClock.setTime(Date.UTC(2020, 0, 1))

/** The numbers of episodes, as their titles have them. */
export const numbers = (list: { readonly episodes: ReadonlyArray<{ readonly title: string | null }> }) =>
  list.episodes.map(({ title }) => Number(title?.replace("Episode ", "")))

/** How often a path was asked for. */
export const countOf = (requests: ReadonlyArray<{ readonly path: string }>, path: string) =>
  requests.filter((request) => request.path === path).length
