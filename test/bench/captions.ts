import { cueOutcomes } from "./captions/cues.js"
import { fileOutcomes } from "./captions/files.js"
import { main } from "./harness.js"

await main({ run: async () => [...fileOutcomes(), ...cueOutcomes()] })
