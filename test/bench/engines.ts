import { heard, pocketsphinx, starting } from "./engines/pocketsphinx.js"
import { main } from "./harness.js"

await main({ tasks: { heard, starting }, run: pocketsphinx })
