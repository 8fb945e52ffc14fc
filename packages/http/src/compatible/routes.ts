/** What programs that know another server's protocol find here: beside the declared interface, over the same use cases. */
import { Effect } from "effect"
import { asrRoutes } from "./asrRoutes.js"
import { type HearingFacts, makeHearing } from "./hearing.js"
import { openAiRoutes } from "./openAiRoutes.js"

export const compatibleRoutes = (facts: HearingFacts) =>
  Effect.gen(function* () {
    const hearing = yield* makeHearing(facts)
    return [...(yield* openAiRoutes(hearing, facts)), ...asrRoutes(hearing)]
  })
