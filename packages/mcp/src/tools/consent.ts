/** Before much is spent, a person says yes. */

import { counted } from "@earmark/core/text"
import type { Quote } from "@earmark/core/wire"
import { inputRequired, inputResponse } from "@modelcontextprotocol/server"
import { Question, type ToolCall } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

/** More than this is not spent on the word of a model alone. */
const FREE_HAND = 300

export type Consent =
  | { readonly type: "given"; readonly maxCredits: number }
  | { readonly type: "asked"; readonly question: Question }
  | { readonly type: "refused"; readonly refused: ToolRefused }

/** What a run costs at least: an episode of unknown length counts as the one credit that is held for it. */
const leastOf = ({ credits, unknownLengths }: Quote): number => (credits ?? 0) + (unknownLengths ?? 0)

const costOf = (quote: Quote): string => {
  const unknown = quote.unknownLengths ?? 0
  const more = unknown === 0 ? "" : `, and more for ${counted(unknown, "episode")} of unknown length`
  return `about ${counted(leastOf(quote), "credit")} for ${counted(quote.episodes ?? 1, "episode")}${more}`
}

/** A person who said no is not to be gone round. */
const AFTER_A_NO = "Do not start it, unless the person asks for it again."

const needed = (quote: Quote, detail: string, action?: string) =>
  new ToolRefused({
    code: "cost_needs_consent",
    detail,
    ...(action !== undefined && { action }),
    details: {
      estimated_credits: leastOf(quote),
      ...(quote.minutes !== null && { estimated_minutes: quote.minutes }),
      ...(quote.episodes !== null && { episodes: quote.episodes }),
      ...(quote.unknownLengths !== null && { unknown_lengths: quote.unknownLengths }),
    },
  })

const question = (quote: Quote, key: string): Question =>
  new Question(
    inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({
          message: `Transcribing this feed costs ${costOf(quote)}. Start it?`,
          requestedSchema: {
            type: "object",
            properties: { start: { type: "boolean", title: "Start and spend the credits", default: false } },
            required: ["start"],
          },
        }),
      },
    }),
  )

/** Whether a run that costs this may start, and what it may cost at most. */
export const consentTo = (quote: Quote, maxCredits: number | undefined, call: ToolCall): Consent => {
  const least = leastOf(quote)
  if (maxCredits !== undefined) {
    return maxCredits >= least
      ? { type: "given", maxCredits: Math.floor(maxCredits) }
      : {
          type: "refused",
          refused: needed(
            quote,
            `It costs ${costOf(quote)}, and max_credits allows ${maxCredits}; nothing was started`,
          ),
        }
  }
  if (least <= FREE_HAND) return { type: "given", maxCredits: FREE_HAND }
  // The name of the question holds the price: a yes is a yes to this price only.
  const key = `start_for_${least}_credits`
  const answer = inputResponse(call.answers, key)
  if (answer.kind === "elicit") {
    return answer.action === "accept" && answer.content?.start === true
      ? { type: "given", maxCredits: least }
      : {
          type: "refused",
          refused: needed(quote, "The person did not agree to the cost; nothing was started", AFTER_A_NO),
        }
  }
  return call.abilities.canAsk
    ? { type: "asked", question: question(quote, key) }
    : { type: "refused", refused: needed(quote, `It costs ${costOf(quote)}; nothing was started`) }
}
