import { spawn } from "node:child_process"
import { Effect } from "effect"
import { failed, usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { browser as browserSpec } from "../../grammar/operating.js"
import { note } from "../../output.js"
import { loadHost, show } from "./administer.js"

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...words: ReadonlyArray<string>]>> =
  {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  }

/** Asks the desktop for a browser. Where there is none, the link that was printed is enough. */
const openBrowser = (url: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"]
    const opener = spawn(program, [...words, url], { stdio: "ignore", detached: true })
    opener.on("error", () => undefined)
    opener.unref()
  })

type Options = Given<typeof browserSpec>

/** Opens a link that was shown, where somebody looks. */
const openShown = (url: string, { print, json }: Options) =>
  print || json || !process.stdout.isTTY
    ? Effect.void
    : Effect.zipRight(note("The link works once, for 5 minutes."), openBrowser(url))

/** It is a bundle of its own, as that of the service is. */
const loadLibrary = Effect.promise(() => import("../../serving/libraryHost.js"))

/** `silent`: where a server was looked for in vain. */
const openLibrary = (options: Options, silent: string | null = null) =>
  Effect.flatMap(loadLibrary, ({ showLibrary }) =>
    showLibrary((url) =>
      Effect.gen(function* () {
        yield* show({ url }, options.json, () => `${url}\n`)
        yield* note("These are the transcripts of this machine, until you press Ctrl-C.")
        if (silent !== null)
          yield* note(
            `No server answers at ${silent}. If yours has another address, set EARMARK_BASE_URL to it.`,
          )
        yield* openShown(url, options)
      }),
    ),
  )

/** The link to the server; null where there is none, and nobody named an account of it. */
const linkToServer = (account: string | null) =>
  Effect.flatMap(loadHost, (host) => host.signIn(account)).pipe(
    Effect.catchIf(
      ({ code }) => account === null && code === "store_missing",
      () => Effect.succeed(null),
    ),
  )

export const openConsole = (options: Options) =>
  Effect.gen(function* () {
    const account = options.account ?? null
    if (options.local && account !== null)
      return yield* usage(
        "--account is for a server, and --local for the transcripts of this machine: give one of them.",
      )
    const signIn = options.local ? null : yield* linkToServer(account)
    if (signIn === null) return yield* openLibrary(options)
    const { origin } = new URL(signIn.url)
    if (!signIn.answers && account === null) return yield* openLibrary(options, origin)
    const isOnlyPrinted = options.print || options.json
    if (!signIn.answers && !isOnlyPrinted)
      return yield* failed(
        `No server answers at ${origin}. Start it with earmark serve, then run this command again. --local shows the transcripts of this machine.`,
      )
    yield* show(signIn, options.json, ({ url }) => `${url}\n`)
    if (!signIn.answers)
      return yield* note(`No server answers at ${origin}: start it with earmark serve, then open the link.`)
    yield* openShown(signIn.url, options)
  })
