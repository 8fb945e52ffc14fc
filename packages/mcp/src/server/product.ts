import type { Scope } from "@earmark/core/jobs"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { nothingServed, type Served } from "./Served.js"

/** For whom a server works. */
export interface Serving {
  readonly backend: TranscriptionBackend["Type"]
  readonly scopes: ReadonlyArray<Scope>
}

/** Everything that Earmark offers over MCP; for nobody (null), to be listed only. */
export const productOf = (_serving: Serving | null): Served => nothingServed
