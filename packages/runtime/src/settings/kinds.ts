/** What the value of a setting may be. */

import { type Cidr, parseCidrList } from "@earmark/core/links"
import { parseRatePolicy, type RatePolicy } from "@earmark/core/requests"
import { trimEndOf } from "@earmark/core/text"
import { Duration, Either, Redacted } from "effect"

export interface Kind<Value> {
  /** For the reference page. */
  readonly name: string
  /** The value, or what it must be. */
  readonly parse: (text: string) => Either.Either<Value, string>
  /** Its text is never repeated in a message. */
  readonly isSecret: boolean
}

const kind = <Value>(name: string, parse: Kind<Value>["parse"]): Kind<Value> => ({
  name,
  parse,
  isSecret: false,
})

export const text: Kind<string> = kind("text", Either.right)

const WHOLE = /^-?\d{1,15}$/

/** A whole number within its bounds. */
export const wholeNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER): Kind<number> => {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return kind("whole number", (given) => {
    const number = Number(given)
    return WHOLE.test(given) && number >= least && number <= most
      ? Either.right(number)
      : Either.left(`a whole number ${bounds}`)
  })
}

/** Whole seconds. */
export const seconds = (least: number, most: number): Kind<Duration.Duration> => {
  const number = wholeNumber(least, most)
  return kind("seconds", (given) =>
    Either.mapBoth(number.parse(given), {
      onLeft: () => `whole seconds from ${least} to ${most}`,
      onRight: Duration.seconds,
    }),
  )
}

/** How often something may be done; null for as often as anybody likes. */
export const rate: Kind<RatePolicy | null> = {
  name: "rate such as `120/60s:30`, or `off`",
  parse: (given) =>
    Either.mapLeft(
      parseRatePolicy(given),
      () => "a rate such as 120/60s:30 (120 in 60 seconds, 30 at once), or off",
    ),
  isSecret: false,
}

/** One of some words. */
export const choice = <const Word extends string>(...words: ReadonlyArray<Word>): Kind<Word> =>
  kind(words.map((word) => `\`${word}\``).join(", "), (given) => {
    const found = words.find((word) => word === given.toLowerCase())
    return found === undefined ? Either.left(`one of ${words.join(", ")}`) : Either.right(found)
  })

const switches = choice("on", "off")

export const onOrOff: Kind<boolean> = {
  ...switches,
  parse: (given) => Either.map(switches.parse(given), (word) => word === "on"),
}

/** A whole number, or `none` for no limit. */
export const limit: Kind<number | null> = kind("whole number or `none`", (given) =>
  given.toLowerCase() === "none"
    ? Either.right(null)
    : Either.mapLeft(wholeNumber(0).parse(given), (must) => `${must}, or none`),
)

/** So many numbers of seconds, with commas between. */
export const delays = (count: number): Kind<ReadonlyArray<number>> =>
  kind("seconds with commas between", (given) => {
    const numbers = given.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)))
    return numbers.length === count && numbers.every((each) => Number.isFinite(each) && each > 0)
      ? Either.right(numbers)
      : Either.left(`${count} numbers of seconds above 0 with commas between`)
  })

/** Ranges of addresses. */
export const ranges: Kind<ReadonlyArray<Cidr>> = kind("CIDRs with commas between", (given) =>
  Either.mapLeft(parseCidrList(given), () => "ranges such as 10.0.0.0/8 with commas between"),
)

/** An address of the web without a path at its end. */
export const webAddress: Kind<string> = kind("address", (given) => {
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
  return isAddress
    ? Either.right(trimEndOf(given, "/"))
    : Either.left("an address that begins with http:// or https://")
})

/** The address of an issuer, which is compared letter by letter. */
export const issuer: Kind<string> = kind("address", (given) =>
  Either.flatMap(webAddress.parse(given), () => {
    const { username, password } = new URL(given)
    return username === "" && password === ""
      ? Either.right(given)
      : Either.left("an address without a user name and a password")
  }),
)

/** Text that is told to nobody. */
export const secret = <Value>(
  name: string,
  parse: (text: string) => Either.Either<Value, string>,
): Kind<Redacted.Redacted<Value>> => ({
  name,
  parse: (given) => Either.map(parse(given), Redacted.make),
  isSecret: true,
})

const isOrigin = (given: string): boolean =>
  /^https?:\/\//.test(given) && URL.canParse(given) && new URL(given).origin === given

/** Origins as browsers write them: a scheme, a host, and a port where it is not the usual one. */
export const origins: Kind<ReadonlyArray<string>> = kind("origins with commas between", (given) => {
  const all = given.split(",").map((origin) => origin.trim())
  return all.every(isOrigin)
    ? Either.right(all)
    : Either.left("origins such as https://app.example.com, with commas between and nothing after the host")
})

/** Who people are at an identity provider. */
export const subjects: Kind<ReadonlyArray<string>> = kind("subjects with commas between", (given) => {
  const all = given.split(",").map((subject) => subject.trim())
  return all.every((subject) => subject !== "" && subject.length <= 255)
    ? Either.right(all)
    : Either.left("subjects of 1 to 255 characters with commas between")
})
