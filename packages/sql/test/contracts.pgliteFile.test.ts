import { jobQueueContract, jobStoreContract } from "@earmark/testkit/contracts"
import { pgliteFile } from "./backends.js"

jobStoreContract("pgliteFile", pgliteFile)
jobQueueContract("pgliteFile", pgliteFile)
