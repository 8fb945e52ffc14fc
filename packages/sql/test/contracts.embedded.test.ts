import { rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { describe } from "@effect/vitest"
import { embedded, embeddedMissing } from "./backends.js"

describe.skipIf(embeddedMissing !== null)("on the Postgres of a folder", () => {
  storeContracts("embedded", embedded)
  rateLimiterContract("embedded", embedded)
})
