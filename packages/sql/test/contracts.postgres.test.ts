import { jobQueueContract, jobStoreContract } from "@earmark/testkit/contracts"
import { postgres } from "./backends.js"

jobStoreContract("postgres", postgres)
jobQueueContract("postgres", postgres)
