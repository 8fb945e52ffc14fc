import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.js"

export interface KeyReplaced {
  /** The id that was recorded before; null where there was none. */
  readonly before: string | null
  /** How many keys of the authorization server were forgotten. */
  readonly forgotten: number
}

/** Which secrets key a store was made with: the id that `Secrets` derives from it, which tells nothing of it. One for the whole store. */
export class StoreKey extends Context.Tag("@earmark/service/StoreKey")<
  StoreKey,
  {
    /** Records the id where there is none. Of racing calls the first wins, and all are answered the id that is recorded. */
    readonly claim: (id: string) => Effect.Effect<string, StorageError>
    /** Records the id in place of another, and forgets the keys of the authorization server that are not sealed with it: all or nothing. */
    readonly replace: (id: string) => Effect.Effect<KeyReplaced, StorageError>
  }
>() {}
