export {
  type AnswerStatus,
  answerOfDraft,
  answerOfPassages,
  type CheckedAnswer,
  type CheckedDraft,
  type Claim,
  type Draft,
  type DraftClaim,
  type NumberedLine,
} from "./answerOf.js"
export { type Citation, type CitationFault, citeLine, citeQuote, faultOf, quotedRange } from "./citations.js"
export { bestHolding, holdingFor } from "./holding.js"
export { type AskedTranscript, beginningsOf, type Passage, rankingSteps, rankPassages } from "./passages.js"
