/** The tools of a service somewhere else, for the client that starts this process. */
import { isPrivateWay } from "@earmark/core/links"
import { trimEndOf } from "@earmark/core/text"
import { Effect, Redacted } from "effect"
import { clientBackend } from "../backends/clientBackend.js"
import { StartRefused } from "./saveFolder.js"
import { serveStdioFor } from "./serveStdioFor.js"

/** What a shell knows as a mistake in the settings. */
export const SETTINGS_MISTAKEN = 78

/** Where the connector of a server is, below its address. */
const CONNECTOR = "/api/mcp"

const NO_KEY =
  "SERVICE_API_KEY is not set: make a key with `earmark keys create`, and put it into the env of this server in the settings of your client."

interface ServiceAccess {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly fetch?: typeof globalThis.fetch | undefined
}

const refuse = (message: string) => new StartRefused({ message })

export interface ClientServing {
  readonly access: ServiceAccess
  /** Where `save_to` may create files. */
  readonly saveFolder: string
  /** Told on standard error. */
  readonly note: (sentence: string) => void
}

/** Serves the tools of a service until the input ends. A key that is wrong and a service that is away are what tools tell, when they are called. */
export const serveClient = ({ access, saveFolder, note }: ClientServing): Effect.Effect<void, StartRefused> =>
  Effect.gen(function* () {
    const { apiKey, baseUrl, fetch } = access
    const key = Redacted.value(apiKey).trim()
    if (key === "") return yield* refuse(NO_KEY)
    if (!/^[\x21-\x7e]+$/.test(key)) {
      return yield* refuse("SERVICE_API_KEY is not a key: it has blanks or other characters in it.")
    }
    if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
      return yield* refuse("EARMARK_BASE_URL is not an address: write it like https://transcripts.example.")
    }
    const address = trimEndOf(baseUrl, "/")
    if (address.endsWith(CONNECTOR)) {
      return yield* refuse(
        `The address of the server ends in ${CONNECTOR}, which only clients that connect by themselves need. Set EARMARK_BASE_URL to ${address.slice(0, -CONNECTOR.length)}.`,
      )
    }
    if (!isPrivateWay(baseUrl)) {
      note(
        `${new URL(baseUrl).host} is reached over plain http: whoever listens on the way can read the key.`,
      )
    }
    yield* serveStdioFor(clientBackend({ baseUrl, apiKey: Redacted.make(key), fetch }), saveFolder)
  })
