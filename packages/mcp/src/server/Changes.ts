import type { ServerEvent } from "@modelcontextprotocol/server"
import { addressesOf, CREDITS } from "../resources/address.js"

/** Something that a client can read has changed. */
export type Change = {
  /** Whose it is: nobody else hears of it. */
  readonly account: string
} & (
  | {
      /** Whether the transcription was there before and still is; else lists have changed too. */
      readonly kind: "updated" | "created" | "removed"
      readonly id: string
    }
  | { readonly kind: "tools" | "prompts" | "credits" }
)

/** Where servers hear of changes: those of this process, or of all processes of a service. */
export interface Changes {
  /** Hears of the changes of one account; answers how to stop. */
  readonly listen: (account: string, listener: (change: Change) => void) => () => void
}

/** Changes that somebody in this process tells of. A listener that throws keeps nothing from the others. */
export const makeChanges = (): Changes & { readonly tell: (change: Change) => void } => {
  const listeners = new Set<{ readonly account: string; readonly hear: (change: Change) => void }>()
  return {
    listen: (account, hear) => {
      const listener = { account, hear }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (change) => {
      for (const { account, hear } of [...listeners]) {
        if (account !== change.account) continue
        try {
          hear(change)
        } catch {
          // What one client cannot be told concerns no other one.
        }
      }
    },
  }
}

const ALONE = {
  tools: { kind: "tools_list_changed" },
  prompts: { kind: "prompts_list_changed" },
  credits: { kind: "resource_updated", uri: CREDITS },
} as const

/** A change as the protocol tells it. */
export const eventsOf = (change: Change): ReadonlyArray<ServerEvent> => {
  if (!("id" in change)) return [ALONE[change.kind]]
  const updated = [...addressesOf(change.id), CREDITS].map(
    (uri): ServerEvent => ({ kind: "resource_updated", uri }),
  )
  return change.kind === "updated" ? updated : [...updated, { kind: "resources_list_changed" }]
}
