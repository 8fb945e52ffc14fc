import type { IncomingMessage } from "node:http"
import type { Bearer, Session } from "@earmark/service"

/** A request whose route is known. */
export interface Arrived {
  readonly request: IncomingMessage
  /** The path and the query, as they arrived. */
  readonly address: string
  /** What stands at the named places of the route. */
  readonly path: Readonly<Record<string, string>>
  /** The query as it arrived, without its question mark. */
  readonly query: string
  /** Called once the answer is over, or its client gone. */
  readonly whenOver: (then: () => void) => void
  /** Tells the client that its request is being worked on (102), as long as nothing else was answered. */
  readonly tellWorking: () => void
}

/** Whose key a request came with, or whose session. */
export type Caller = Bearer & { readonly isTest: boolean; readonly session?: Session }

/** A header that is there once. */
export const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}
