import { AccountId, KeyId, parseId } from "@earmark/core/jobs"
import { Either } from "effect"
import { APP_SCOPES, type AppScope, appScopesIn } from "./scopes.js"

/** Who signed in, and how far: what grants and tokens are made out to. */
export interface Subject {
  readonly account: AccountId
  readonly isTest: boolean
  /** What apps can be given at most. */
  readonly scopes: ReadonlyArray<AppScope>
  /** The API key that showed it, whose monthly limit their jobs count towards; null where people sign in otherwise. */
  readonly key: KeyId | null
}

const TEST = "test"

/** A subject as one word. */
export const subjectText = ({ account, isTest, scopes, key }: Subject): string => {
  const isLimited = scopes.length < APP_SCOPES.length
  const marks = [...(isTest ? [TEST] : []), ...(isLimited ? [scopes.join("+")] : [])]
  return [account, ...marks, ...(key === null ? [] : [key])].join("~")
}

/** The subject in a word; null for any other word. */
export const parseSubject = (text: string): Subject | null => {
  const [id = "", ...marks] = text.split("~")
  const account = Either.getOrNull(parseId(AccountId)(id))
  if (account === null) return null
  const key = Either.getOrNull(parseId(KeyId)(marks.at(-1) ?? ""))
  const rights = key === null ? marks : marks.slice(0, -1)
  const isTest = rights[0] === TEST
  const [limit] = isTest ? rights.slice(1) : rights
  const scopes = limit === undefined ? APP_SCOPES : appScopesIn(limit.replaceAll("+", " "))
  return { account, isTest, scopes, key }
}
