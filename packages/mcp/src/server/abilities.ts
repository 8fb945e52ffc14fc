import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server"

/** What a client said it can do, as far as it matters here. */
export interface Abilities {
  /** Shows a person a form. */
  readonly canAsk: boolean
  /** Follows tasks by itself. */
  readonly takesTasks: boolean
}

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks"

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([field]) => field === name)?.[1]
    : undefined

/** A client that names no kind of question means forms. */
const asksForms = (elicitation: unknown): boolean =>
  typeof elicitation === "object" &&
  elicitation !== null &&
  (Object.keys(elicitation).length === 0 || fieldOf(elicitation, "form") !== undefined)

/** The modern protocol says it with each request, the older ones once. */
export const abilitiesOf = (server: Server, { mcpReq }: ServerContext): Abilities => {
  const now = fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY)
  const declared = now ?? server.getClientCapabilities()
  return {
    canAsk: asksForms(fieldOf(declared, "elicitation")),
    takesTasks: fieldOf(fieldOf(now, "extensions"), TASKS_EXTENSION) !== undefined,
  }
}
