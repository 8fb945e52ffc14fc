import { jobQueueContract, jobStoreContract } from "@earmark/testkit/contracts"
import { memoryBackend } from "./memory.js"

jobStoreContract("memory", memoryBackend)
jobQueueContract("memory", memoryBackend)
