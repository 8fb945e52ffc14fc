import { jobQueueContract, jobStoreContract } from "@earmark/testkit/contracts"
import { pgliteMemory } from "./backends.js"

jobStoreContract("pgliteMemory", pgliteMemory)
jobQueueContract("pgliteMemory", pgliteMemory)
