import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
type Group = HttpApiGroup.HttpApiGroup.AnyWithProps

/** The same endpoint or group, whose parts have no types of their own: those of the table are the ones that hold. */
export function loosely(declared: HttpApiEndpoint.HttpApiEndpoint.Any): Endpoint
export function loosely(declared: HttpApiGroup.HttpApiGroup.Any): Group
export function loosely(declared: unknown): unknown {
  return declared
}
