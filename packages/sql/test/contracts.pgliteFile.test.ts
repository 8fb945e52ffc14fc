import { rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { pgliteFile } from "./backends.js"

storeContracts("pgliteFile", pgliteFile)
rateLimiterContract("pgliteFile", pgliteFile)
