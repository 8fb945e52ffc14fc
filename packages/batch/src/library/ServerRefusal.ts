import type { EarmarkClient } from "@earmark/api/client"
import type { Effect } from "effect"

/** Does something with the client of the server, and fails as the host says it. */
export type AskServer<E> = <Answer>(
  work: (client: EarmarkClient, facts: { readonly signal: AbortSignal }) => Promise<Answer>,
) => Effect.Effect<Answer, E>

/** What a server is not asked, since it would not do it. */
export interface ServerRefusal {
  readonly reason:
    | "id_too_short"
    /** The beginning of several `ids`. */
    | "ambiguous_id"
    /** Too many were made when ids began so. */
    | "too_many_ids"
    /** A server lists what was canceled among the failed. */
    | "canceled_not_listed"
    /** Names are stored at a server, and not given with an export. */
    | "names_not_taken"
    /** A server writes fewer formats than this machine. */
    | "format_not_written"
    /** A server looks for words and phrases. */
    | "patterns_not_searched"
    /** There is no transcript to edit yet: the subject is at this `status`. */
    | "no_transcript"
  /** The id or the format. */
  readonly subject: string
  readonly ids?: ReadonlyArray<string>
  readonly status?: string
}
