import { Context, type Effect, Schema, type Scope, type Stream } from "effect"

/** Why nothing usable came back. `status` is there when the other side answered. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  reason: Schema.Literal(
    "address_invalid",
    "address_blocked",
    "name_unknown",
    "refused",
    "tls",
    "timeout",
    "interrupted",
    "too_many_redirects",
    "too_large",
    "status",
  ),
  /** The host and what happened, in a sentence for a person; never a path, a query or a credential. */
  detail: Schema.String,
  status: Schema.NullOr(Schema.Number),
  /** Milliseconds that the other side asked to wait. */
  retryAfter: Schema.NullOr(Schema.Number),
  /** Whether the same request may succeed later. */
  isTransient: Schema.Boolean,
}) {
  override get message() {
    return this.detail
  }
}

export interface FetchRequest {
  readonly url: string
  /** GET unless said otherwise. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** One deadline for the whole exchange, in milliseconds. */
  readonly deadline: number
  /** Decoded bytes of the body; more of them fail as `too_large`. */
  readonly maxBytes: number
  /** How many redirects are followed, each checked like the first address. With 0 a redirect is an answer like any other. */
  readonly redirects: number
  /** Private addresses are fine: an operator wrote this address into the settings, no user did. */
  readonly trusted?: boolean
}

export interface FetchedAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Where the address has moved for good: the end of the permanent redirects that came first. */
  readonly movedTo?: string
  /** The decoded body, read as it is asked for. */
  readonly body: Stream.Stream<Uint8Array, FetchFailed>
}

/** The guarded door: everything that leaves the process over HTTP goes through it. */
export class Fetcher extends Context.Tag("@earmark/service/Fetcher")<
  Fetcher,
  {
    /** Any status is an answer. The connection lives as long as the scope. */
    readonly fetch: (request: FetchRequest) => Effect.Effect<FetchedAnswer, FetchFailed, Scope.Scope>
    /**
     * The bytes behind an address in a file at `path`. What a broken download left there is gone on with where the server allows it.
     * A status other than 2xx fails, as does a body that is shorter than announced.
     */
    readonly download: (
      request: FetchRequest,
      path: string,
    ) => Effect.Effect<
      { readonly bytes: number; readonly contentType: string | null; readonly url: string },
      FetchFailed
    >
  }
>() {}
