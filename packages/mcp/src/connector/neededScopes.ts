/** What a message needs to be allowed, as far as it shows before it is answered. */
import type { Scope } from "@earmark/core/wire"
import { scopeOfResource } from "../server/product.js"

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** The parameters of each message of a method in a body, which may hold several. */
const paramsOf = (body: unknown, method: string): ReadonlyArray<Fields> => {
  if (Array.isArray(body)) return body.flatMap((message) => paramsOf(message, method))
  return isObject(body) && body.method === method && isObject(body.params) ? [body.params] : []
}

/** The scopes of the tools that a body calls. */
export const neededToCall = (
  body: unknown,
  toolScopes: ReadonlyMap<string, ReadonlyArray<string>>,
): ReadonlyArray<string> =>
  paramsOf(body, "tools/call").flatMap(({ name }) =>
    typeof name === "string" ? (toolScopes.get(name) ?? []) : [],
  )

const scopesOf = (uris: unknown): ReadonlyArray<Scope> =>
  Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").map(scopeOfResource) : []

/** The scopes of the resources whose changes a body asks to hear of. */
export const neededToHear = (body: unknown): ReadonlyArray<Scope> => [
  ...paramsOf(body, "resources/subscribe").flatMap(({ uri }) => scopesOf([uri])),
  ...paramsOf(body, "subscriptions/listen").flatMap(({ notifications }): ReadonlyArray<Scope> => {
    if (!isObject(notifications)) return []
    const ofList: ReadonlyArray<Scope> =
      notifications.resourcesListChanged === true ? ["transcriptions:read"] : []
    return [...ofList, ...scopesOf(notifications.resourceSubscriptions)]
  }),
]
