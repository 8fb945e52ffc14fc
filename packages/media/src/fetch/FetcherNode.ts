import { type Cidr, isAllowedAddress, isAllowedOverHttp, type PlainHttp } from "@earmark/core/links"
import { type FetchedAnswer, Fetcher, type FetchFailed, type FetchRequest, TimeLimit } from "@earmark/service"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { hostOf, type IsAllowed, readAddress } from "./address.js"
import { makeAgents } from "./agents.js"
import { bodyOf, timedOut } from "./body.js"
import { downloadWith } from "./download.js"
import { failed } from "./failures.js"
import { type Hop, isPermanent, isRedirect, nextHop } from "./redirects.js"
import { type Resolve, resolveAlsoLocally, resolveByServers, resolveBySystem } from "./resolve.js"
import { makeSlots } from "./slots.js"

export interface FetcherOptions {
  /** Ranges that may be reached although they are not public, read with `parseCidrList`. None by default. */
  readonly allow?: ReadonlyArray<Cidr>
  /** Whether plain http is spoken: to every address that may be reached, by default. */
  readonly plainHttp?: PlainHttp
  /** What servers get to see as the name of the program. */
  readonly userAgent?: string
  /** Milliseconds for looking up a name and connecting. */
  readonly connectTimeout?: number
  /** Milliseconds without a byte. */
  readonly idleTimeout?: number
  /** How many times larger than its wire form a large body may be. */
  readonly maxRatio?: number
  /** Connections at a time, in all (64) and to one host (4). What the operator trusts is not counted. */
  readonly connections?: number
  readonly connectionsPerHost?: number
  /** The addresses behind a name. By default the name servers are asked, and the system too when ranges are allowed. */
  readonly resolve?: Resolve
  /** Certificates of authorities, in PEM, that are trusted beside the usual ones. */
  readonly authorities?: ReadonlyArray<string>
}

/** Loaded with the first request: most plans need no client of HTTP. */
const loadExchange = Effect.promise(() => import("./exchange.js"))

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

export const makeFetch = (options: FetcherOptions) => {
  const { allow = [], userAgent = "Earmark", idleTimeout = 30_000, maxRatio = 100 } = options
  const slots = makeSlots({ inAll: options.connections ?? 64, perHost: options.connectionsPerHost ?? 4 })
  const resolveForUsers = allow.length > 0 ? resolveAlsoLocally : resolveByServers()
  const common = {
    connectTimeout: options.connectTimeout ?? 10_000,
    authorities: options.authorities ?? [],
  }
  const { plainHttp = "on" } = options
  const isAllowed: IsAllowed = (address, protocol) =>
    protocol === "http:" ? isAllowedOverHttp(address, allow, plainHttp) : isAllowedAddress(address, allow)
  const guarded = makeAgents({
    ...common,
    resolve: options.resolve ?? resolveForUsers,
    isAllowed,
  })
  const trusting = makeAgents({
    ...common,
    resolve: options.resolve ?? resolveBySystem,
    isAllowed: () => true,
  })

  const firstHop = (request: FetchRequest, url: URL): Hop => ({
    url,
    method: request.method ?? "GET",
    headers: {
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": userAgent,
      ...lowerCase(request.headers ?? {}),
    },
    body: request.body,
  })

  /** The first answer that sends nowhere else. */
  const follow = Effect.fnUntraced(function* (request: FetchRequest) {
    const scope = yield* Effect.scope
    let isTrusted = request.trusted === true
    let hop = firstHop(request, yield* readAddress(request.url, { isAllowed, isTrusted }))
    let movedTo: string | undefined
    let hasMoved = true
    for (let redirects = 0; ; redirects++) {
      const own = yield* Scope.fork(scope, scope.strategy)
      if (!isTrusted) yield* slots.take(hop.url.host).pipe(Scope.extend(own))
      const { exchange } = yield* loadExchange
      const answer = yield* exchange(hop, isTrusted ? trusting : guarded).pipe(Scope.extend(own))
      const { location } = answer.headers
      if (request.redirects === 0 || !isRedirect(answer.status, location)) return { hop, answer, movedTo }
      yield* Scope.close(own, Exit.void)
      if (redirects >= request.redirects) {
        const detail = `${hostOf(hop.url)} redirects more than ${redirects} times`
        return yield* failed("too_many_redirects", detail, { status: answer.status })
      }
      const { address, isSameOrigin, ...rest } = yield* nextHop(hop, answer.status, location)
      // The operator wrote the first address, and only that.
      isTrusted = isTrusted && isSameOrigin
      hop = { ...rest, url: yield* readAddress(address, { isAllowed, isTrusted }) }
      hasMoved = hasMoved && isPermanent(answer.status)
      if (hasMoved) movedTo = hop.url.href
    }
  })

  return Effect.fn("Fetcher.fetch")(function* (
    request: FetchRequest,
  ): Effect.fn.Return<FetchedAnswer, FetchFailed, Scope.Scope> {
    const endsAt = (yield* Clock.currentTimeMillis) + request.deadline
    const { hop, answer, movedTo } = yield* follow(request).pipe(
      TimeLimit.fail({
        duration: request.deadline,
        onTimeout: () => timedOut(URL.canParse(request.url) ? hostOf(new URL(request.url)) : "The address"),
      }),
    )
    const host = hostOf(hop.url)
    return {
      status: answer.status,
      headers: answer.headers,
      url: hop.url.href,
      ...(movedTo === undefined ? {} : { movedTo }),
      body: bodyOf(answer, { host, endsAt, idle: idleTimeout, maxBytes: request.maxBytes, maxRatio }),
    }
  })
}

/** The guarded door on Node's sockets. */
export const layer = (options: FetcherOptions = {}): Layer.Layer<Fetcher> =>
  Layer.sync(Fetcher, () => {
    const fetch = makeFetch(options)
    return Fetcher.of({ fetch, download: downloadWith(fetch) })
  })
