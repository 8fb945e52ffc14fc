import { rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { describe } from "@effect/vitest"
import { postgres, postgresMissing } from "./backends.js"

describe.skipIf(postgresMissing !== null)("on a server", () => {
  storeContracts("postgres", postgres)
  rateLimiterContract("postgres", postgres)
})
