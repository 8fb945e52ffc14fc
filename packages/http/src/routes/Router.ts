import { notFound, Refusal } from "../answers/Refusal.js"
import type { Route } from "./Route.js"

export interface Found {
  readonly type: "found"
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
}

export type Routed =
  | Found
  | {
      readonly type: "refused"
      readonly refusal: Refusal
      /** As the routes of the address write theirs. */
      readonly refusalReply?: Route["refusalReply"] | undefined
    }

interface Place {
  readonly steps: ReadonlyArray<string>
  /** By method. */
  readonly routes: Map<string, Route>
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const match = ({ steps }: Place, parts: ReadonlyArray<string>): Record<string, string> | undefined => {
  const path: Record<string, string> = {}
  for (const [index, step] of steps.entries()) {
    const part = parts[index]
    if (part === undefined) return undefined
    if (!step.startsWith(":")) {
      if (step !== part) return undefined
      continue
    }
    const value = decode(part)
    if (value === undefined || value === "") return undefined
    path[step.slice(1)] = value
  }
  return path
}

const allowOf = ({ routes }: Place): string =>
  [...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")

const notAllowed = (place: Place) =>
  new Refusal({
    code: "method_not_allowed",
    detail: `This address takes ${allowOf(place)}.`,
    headers: { Allow: allowOf(place) },
  })

/** A place for operators only does not tell which methods it has. */
const isHidden = ({ routes }: Place): boolean =>
  [...routes.values()].every(({ answer }) => answer.type === "guarded" && answer.isForOperators === true)

const refusedAt = (place: Place): Routed => {
  const [first] = place.routes.values()
  const refusal = isHidden(place) ? notFound : notAllowed(place)
  return { type: "refused", refusal, refusalReply: first?.refusalReply }
}

/** The end of a path that stands for every address below, and for every method. */
const REST = "/*"

/** Finds the route of a request. Named places take any text; a fixed step goes before a named one, and what ends with `/*` comes last. */
export const makeRouter = (routes: ReadonlyArray<Route>) => {
  const rests = routes
    .filter(({ path }) => path.endsWith(REST))
    .map((route) => ({ route, above: route.path.slice(0, -REST.length) }))
  const byLength = new Map<number, Array<Place>>()
  for (const route of routes) {
    if (route.path.endsWith(REST)) continue
    const steps = route.path.split("/")
    const places = byLength.get(steps.length) ?? []
    byLength.set(steps.length, places)
    const known = places.find((place) => place.steps.join("/") === route.path)
    if (known !== undefined) known.routes.set(route.method, route)
    else places.push({ steps, routes: new Map([[route.method, route]]) })
  }
  const named = ({ steps }: Place) => steps.filter((step) => step.startsWith(":")).length
  for (const places of byLength.values()) places.sort((left, right) => named(left) - named(right))

  return (method: string, pathname: string): Routed => {
    const parts = pathname.split("/")
    for (const place of byLength.get(parts.length) ?? []) {
      const path = match(place, parts)
      if (path === undefined) continue
      const route = place.routes.get(method === "HEAD" ? "GET" : method)
      return route === undefined ? refusedAt(place) : { type: "found", route, path }
    }
    const rest = rests.find(({ above }) => pathname === above || pathname.startsWith(`${above}/`))
    return rest === undefined
      ? { type: "refused", refusal: notFound }
      : { type: "found", route: rest.route, path: {} }
  }
}
