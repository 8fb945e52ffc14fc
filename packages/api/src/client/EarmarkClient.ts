/** The service, for programs: every operation, and what most programs do with several of them. */
import { type Calls, callsOf } from "./calls.js"
import { InputError } from "./errors.js"
import { type WaitOptions, waitFor } from "./follow.js"
import { platformWith } from "./Platform.js"
import type { Uploaded, UploadOptions } from "./sendUpload.js"
import { Transport } from "./Transport.js"
import {
  type TranscribeCallOptions,
  type TranscribeOptions,
  type TranscribeSource,
  transcribe,
} from "./transcribe.js"
import { transcriptions } from "./transcriptions.js"
import type { EndedTranscription } from "./types.js"
import type { UploadSource } from "./UploadSource.js"
import { upload } from "./upload.js"
import type { DoneTranscription } from "./wire.js"

/** Who calls: a program with a key, or a page of the service itself, with the session of the person in front of it. */
type Credentials =
  | {
      /** A key of the account, such as `em_live_…`. */
      readonly apiKey: string
      readonly session?: never
    }
  | {
      readonly apiKey?: never
      /** Uses the cookie of the browser. Only pages that the service itself serves can do this. */
      readonly session: true
    }

export type EarmarkClientOptions = Credentials & {
  /** Where the service is, such as `https://earmark.example.org`. */
  readonly baseUrl: string
  /** Another `fetch` than the one of the place the client runs in. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds that one try of a call may take: 30,000 when left out. */
  readonly timeout?: number | undefined
  /** How often a call is tried again where that is safe: 2 when left out. */
  readonly retries?: number | undefined
}

const SECONDS_30 = 30_000

const baseOf = (baseUrl: string): string => {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new InputError({
      message: "Give the address of the server as baseUrl, such as https://earmark.example.org",
    })
  }
  let end = baseUrl.length
  while (baseUrl.endsWith("/", end)) end--
  return baseUrl.slice(0, end)
}

/** The header that says who calls. */
const credentialsOf = ({ apiKey, session }: Credentials): Readonly<Record<string, string>> => {
  if (session === true) return { "Earmark-Console": "1" }
  // The key itself is never shown, not even a part of it.
  if (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new InputError({ message: "Give an API key as apiKey, without blanks around it" })
  return { Authorization: `Bearer ${apiKey}` }
}

/** The connection that a client speaks through. */
export const transportOf = ({
  baseUrl,
  fetch,
  timeout = SECONDS_30,
  retries = 2,
  ...credentials
}: EarmarkClientOptions): Transport =>
  new Transport({
    baseUrl: baseOf(baseUrl),
    credentials: credentialsOf(credentials),
    timeout,
    retries,
    platform: platformWith(fetch),
  })

export class EarmarkClient {
  readonly transcriptions: ReturnType<typeof transcriptions>
  readonly podcasts: Calls<"podcasts">
  readonly uploads: Calls<"uploads">
  readonly webhooks: Calls<"webhooks">
  readonly credits: Calls<"credits">
  readonly keys: Calls<"keys">
  readonly grants: Calls<"grants">
  readonly account: Calls<"account">
  readonly host: Calls<"host">
  readonly #transport: Transport

  constructor(options: EarmarkClientOptions) {
    const transport = transportOf(options)
    this.#transport = transport
    this.transcriptions = transcriptions(transport)
    this.podcasts = callsOf(transport, "podcasts")
    this.uploads = callsOf(transport, "uploads")
    this.webhooks = callsOf(transport, "webhooks")
    this.credits = callsOf(transport, "credits")
    this.keys = callsOf(transport, "keys")
    this.grants = callsOf(transport, "grants")
    this.account = callsOf(transport, "account")
    this.host = callsOf(transport, "host")
  }

  /** Moves media into the service in constant memory. `media_ref` of the answer goes to `transcriptions.create`. */
  upload(source: UploadSource, options?: UploadOptions): Promise<Uploaded> {
    return upload(this.#transport, source, options)
  }

  /** The transcription once it is done or failed. */
  waitFor(id: string, options?: WaitOptions): Promise<EndedTranscription> {
    return waitFor(this.#transport, id, options)
  }

  /**
   * From media to text in one call: uploads what has to be, creates the transcription, waits for its end.
   * Fails with `TranscriptionFailed` where it fails.
   */
  transcribe(
    source: TranscribeSource,
    wanted: TranscribeOptions = {},
    call: TranscribeCallOptions = {},
  ): Promise<DoneTranscription> {
    return transcribe(this.#transport, source, wanted, call)
  }
}
