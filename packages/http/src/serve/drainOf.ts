import type { Settings } from "@earmark/runtime"
import { Duration } from "effect"

/** Behind a balancer there are processes that only answer. */
const DRAIN_OF_API = Duration.seconds(5)

/** How long requests are answered once the server is to stop: it ends so much later. */
export const drainOf = ({ drain, role }: Settings): Duration.Duration =>
  drain ?? (role === "api" ? DRAIN_OF_API : Duration.zero)
