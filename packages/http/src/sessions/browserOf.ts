import type { IncomingMessage } from "node:http"

const LONGEST = 300

/** What a browser calls itself, as it is kept with its session. */
export const browserOf = ({ headers }: IncomingMessage): { readonly browser?: string } => {
  const name = headers["user-agent"]
  return name === undefined ? {} : { browser: name.slice(0, LONGEST) }
}
