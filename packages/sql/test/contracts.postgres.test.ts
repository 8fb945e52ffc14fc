import { rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { postgres } from "./backends.js"

storeContracts("postgres", postgres)
rateLimiterContract("postgres", postgres)
