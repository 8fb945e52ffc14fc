// `npm run check`: all checks without the tests. The types keep one core busy for as long as all others together keep another.
import { DOCS, OTHERS, step, TYPES } from "./steps.mjs"

/** One after the other. Answers whether all succeeded. */
const inTurn = async (checks) => {
  let allSucceeded = true
  for (const check of checks) allSucceeded = (await step(...check)) && allSucceeded
  return allSucceeded
}

const outcomes = await Promise.all([inTurn([TYPES]), inTurn([...OTHERS, DOCS])])
process.exitCode = outcomes.every((succeeded) => succeeded) ? 0 : 1
