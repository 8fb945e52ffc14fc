import { cueOutcomes } from "./captions/cues.js"
import { main } from "./harness.js"

await main({ run: async () => cueOutcomes() })
