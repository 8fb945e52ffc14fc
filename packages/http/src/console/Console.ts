/** The application for browsers at `/console`, from memory. */
import { readFile } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { Reply } from "../answers/Reply.js"
import { headerOf } from "../requests/Arrived.js"
import { type Mount, pathOf } from "../server/Mount.js"
import { securityHeaders } from "../server/securityHeaders.js"
import { send } from "../server/send.js"
import { cookieName } from "../sessions/cookie.js"

/** `store` is where a bucket takes and gives media itself; null where they go through this server. */
const policyOf = (store: string | null): string => {
  const media = store === null ? "'self'" : `'self' ${new URL(store).origin}`
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src ${media}; connect-src ${media}; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`
}

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const

const Manifest = Schema.parseJson(
  Schema.Struct({
    index: Schema.String,
    /** Pages that load their code at once, by what follows `/console/`. */
    documents: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
      default: () => ({}),
    }),
    files: Schema.Record({ key: Schema.String, value: Schema.Struct({ type: Schema.String }) }),
  }),
)

interface Asset {
  readonly type: string
  /** By content encoding; "" as it is. */
  readonly bodies: ReadonlyMap<string, Uint8Array>
}

interface Application {
  readonly index: Uint8Array
  /** By the first word below `/console/`. */
  readonly documents: ReadonlyMap<string, Uint8Array>
  readonly assets: ReadonlyMap<string, Asset>
}

const plain = (status: number, body: string, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
  body,
})

const notBuilt = plain(404, "The console is not part of this build: run npm run build in packages/console.\n")

const noAsset = plain(404, "There is nothing at this address.\n")

const notAllowed = plain(405, "This address takes GET, HEAD.\n", { Allow: "GET, HEAD" })

const toConsole: Reply = { status: 303, headers: { Location: "/console", Vary: "Accept" }, body: null }

const bytesOf = (path: string) => Effect.tryPromise((signal) => readFile(path, { signal }))

/** Every file of a build; null where there is none. */
const load = (folder: string): Effect.Effect<Application | null> =>
  Effect.gen(function* () {
    const text = yield* bytesOf(join(folder, "manifest.json"))
    const { index, documents, files } = yield* Schema.decodeUnknown(Manifest)(text.toString())
    const assets = yield* Effect.forEach(Object.entries(files), ([name, { type }]) =>
      Effect.gen(function* () {
        const bodies = new Map<string, Uint8Array>([["", yield* bytesOf(join(folder, name))]])
        for (const [encoding, ending] of ENCODINGS) {
          const body = yield* Effect.option(bytesOf(join(folder, `${name}${ending}`)))
          if (body._tag === "Some") bodies.set(encoding, body.value)
        }
        const asset: readonly [string, Asset] = [`/console/${name}`, { type, bodies }]
        return asset
      }),
    )
    const pages = yield* Effect.forEach(Object.entries(documents), ([below, name]) =>
      Effect.map(bytesOf(join(folder, name)), (bytes): readonly [string, Uint8Array] => [below, bytes]),
    )
    return {
      index: yield* bytesOf(join(folder, index)),
      documents: new Map(pages),
      assets: new Map(assets),
    }
  }).pipe(Effect.orElseSucceed(() => null))

const NO_WEIGHT = /^ *q=0(?:\.0*)?$/

/** What a client takes: what it names without a weight of nothing. */
const taken = (accept: string): ReadonlyArray<string> =>
  accept
    .toLowerCase()
    .split(",")
    .map((each) => each.trim().split(";"))
    .filter(([, weight = ""]) => !NO_WEIGHT.test(weight))
    .map(([name = ""]) => name.trim())

/** Browsers name HTML when they open a page. Programs and agents take anything. */
const opensPage = (request: IncomingMessage): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  taken(headerOf(request, "accept") ?? "").includes("text/html")

const withBody = (status: number, headers: Reply["headers"], body: Uint8Array): Reply => ({
  status,
  headers: { ...headers, "Content-Length": String(body.byteLength) },
  body: [body],
})

const assetReply = ({ type, bodies }: Asset, accept: string): Reply => {
  const accepted = taken(accept)
  const encoding = ENCODINGS.map(([name]) => name).find((name) => accepted.includes(name) && bodies.has(name))
  const headers = {
    "Content-Type": type,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    ...(encoding !== undefined && { "Content-Encoding": encoding }),
  }
  return withBody(200, headers, bodies.get(encoding ?? "") ?? new Uint8Array())
}

const pageReply = ({ index, documents }: Application, path: string, policy: string): Reply => {
  const [, , below = ""] = path.split("/")
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }
  return withBody(200, headers, documents.get(below) ?? index)
}

/** Whether there is a build of the console in a folder. */
export const isBuilt = (folder: string): Effect.Effect<boolean> =>
  Effect.map(load(folder), (application) => application !== null)

/** The address that a sign-in link opens; null where sessions would cross a network in the open. What signs in is never sent with it. */
export const signInAddress = (baseUrl: string, link: string): string | null =>
  cookieName(baseUrl) === null ? null : `${baseUrl}/console/#sign-in=${link}`

export interface ConsoleOptions {
  readonly baseUrl: string
  readonly folder: string
  /** The address of the bucket, where it takes and gives media itself (`directUploads` of `ObjectStoreS3`). */
  readonly store?: string | null
}

/** Serves the build of the console in a folder, and leads browsers there from `/`. Every address below `/console` without a dot is its page. */
export const mount = ({ baseUrl, folder, store = null }: ConsoleOptions) =>
  Effect.map(load(folder), (application): Mount => {
    const common = securityHeaders({ baseUrl })
    const policy = policyOf(store)

    const replyTo = (method: string, path: string, accept: string): Reply => {
      if (method !== "GET" && method !== "HEAD") return notAllowed
      if (application === null) return notBuilt
      if (path === "/") return toConsole
      const asset = application.assets.get(path)
      if (asset !== undefined) return assetReply(asset, accept)
      return path.includes(".") || path.startsWith("/console/assets/")
        ? noAsset
        : pageReply(application, path, policy)
    }

    return {
      owns: (path, request) =>
        path === "/console" ||
        path.startsWith("/console/") ||
        (path === "/" && application !== null && opensPage(request)),
      route: "/console",
      answer: (request, response) =>
        Effect.suspend(() => {
          const accept = headerOf(request, "accept-encoding") ?? ""
          const reply = replyTo(request.method ?? "GET", pathOf(request), accept)
          return send(request, response, { ...reply, headers: { ...common, ...reply.headers } })
        }),
    }
  })
