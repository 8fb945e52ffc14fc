import type { IncomingMessage } from "node:http"
import { SIGN_IN_PATH } from "@earmark/authorization"

/** Begins the name of each sign-in to the console. Names of questions of apps have no full stop. */
export const ATTEMPT_PREFIX = "console."

/** Whether a browser comes back from a provider to sign in to the console: the name of the attempt says so. */
export const isForConsole = ({ url = "" }: IncomingMessage): boolean => {
  const [path, query = ""] = url.split("?", 2)
  return path === SIGN_IN_PATH && (new URLSearchParams(query).get("state") ?? "").startsWith(ATTEMPT_PREFIX)
}
