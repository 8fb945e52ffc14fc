import type { Route } from "./Route.js"

export type OpenReply = Extract<Route["answer"], { readonly type: "open" }>["reply"]

/** A route that needs no key of an account. */
export const open = (endpoint: Pick<Route, "method" | "path">, reply: OpenReply): Route => ({
  method: endpoint.method,
  path: endpoint.path,
  answer: { type: "open", reply },
})

/** A route beside the declared interface. */
export const page = (path: `/${string}`, reply: OpenReply): Route => open({ method: "GET", path }, reply)
