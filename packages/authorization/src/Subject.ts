import { AccountId, parseId } from "@earmark/core/jobs"
import { Either } from "effect"
import { APP_SCOPES, type AppScope, appScopesIn } from "./scopes.js"

/** Who signed in, and how far: what grants and tokens are made out to. */
export interface Subject {
  readonly account: AccountId
  readonly isTest: boolean
  /** What apps can be given at most. */
  readonly scopes: ReadonlyArray<AppScope>
}

const TEST = "test"

/** A subject as one word. */
export const subjectText = ({ account, isTest, scopes }: Subject): string => {
  const isLimited = scopes.length < APP_SCOPES.length
  return [account, ...(isTest ? [TEST] : []), ...(isLimited ? [scopes.join("+")] : [])].join("~")
}

/** The subject in a word; null for any other word. */
export const parseSubject = (text: string): Subject | null => {
  const [id = "", ...marks] = text.split("~")
  const account = Either.getOrNull(parseId(AccountId)(id))
  if (account === null) return null
  const isTest = marks[0] === TEST
  const [limit] = isTest ? marks.slice(1) : marks
  const scopes = limit === undefined ? APP_SCOPES : appScopesIn(limit.replaceAll("+", " "))
  return { account, isTest, scopes }
}
