import { parseFeedDate } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"

const cases: ReadonlyArray<readonly [text: string, expected: string | null, why: string]> = [
  ["Thu, 01 Jan 2026 10:00:00 +0000", "2026-01-01T10:00:00.000Z", "the plain form"],
  ["Thu, 01 Jan 2026 10:00:00 GMT", "2026-01-01T10:00:00.000Z", "the plain form with GMT"],
  ["Thu, 01 Jan 2026 10:00:00 -0530", "2026-01-01T15:30:00.000Z", "the plain form with half an hour"],
  ["Sat, 31 Jan 2026 23:59:59 +0100", "2026-01-31T22:59:59.000Z", "a late day of the month"],
  ["1 Jan 26 10:00 Z", "2026-01-01T10:00:00.000Z", "two digits below 70"],
  ["1 Jan 70 10:00 Z", "1970-01-01T10:00:00.000Z", "two digits from 70 on"],
  ["Mon,02 January 2006 15:04:05 EST", "2006-01-02T20:04:05.000Z", "no blank after the weekday"],
  ["Tue, 15 Sept 2015 12:00:00 GMT", "2015-09-15T12:00:00.000Z", "Sept"],
  ["Mon, 13 Feb, 2012 06:28:00 UTC", "2012-02-13T06:28:00.000Z", "comma after the month"],
  ["Mon 02 May 2016 18:15:00 GMT-0400 (EDT)", "2016-05-02T22:15:00.000Z", "what JavaScript prints"],
  ["Tue, 14 Jul 2020 08:05:00 PST", "2020-07-14T16:05:00.000Z", "the zone as it stands, not the season"],
  ["Tue, 14 Jul 2020 08:05:00 Etc/GMT", "2020-07-14T08:05:00.000Z", "a zone of the zone database"],
  ["Tue, 14 Jul 2020 08:05:00 XYZ", "2020-07-14T08:05:00.000Z", "a zone that nobody knows is UTC"],
  ["Tue, 14 Jul 2020 08:05:00 PM EST", "2020-07-15T01:05:00.000Z", "half a day and a zone"],
  ["Tue, 14 Jul 2020 12:05 AM", "2020-07-14T00:05:00.000Z", "the hour after midnight"],
  ["Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06.000Z", "asctime"],
  ["Sun Jul 15 01:16:00 +0000 2012", "2012-07-15T01:16:00.000Z", "the year at the end"],
  ["2020/1/10 14:33:00", "2020-01-10T14:33:00.000Z", "slashes, no zone"],
  ["2016-05-17T09:12:44.318205+02:00", "2016-05-17T07:12:44.318Z", "six digits of a second"],
  ["2003-12", "2003-12-01T00:00:00.000Z", "year and month"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z", "a leap day"],
  ["2015-06-30T23:59:60Z", "2015-07-01T00:00:00.000Z", "a leap second"],
  ["2003-12-31T24:00:00Z", "2004-01-01T00:00:00.000Z", "midnight at the end of a day"],
  ["1900-01-14T00:00:00Z", "1900-01-14T00:00:00.000Z", "before 1970"],
  ["2023-02-29", null, "no leap day"],
  ["Sun, 31 Apr 2022 12:00:00 GMT", null, "never rolled over"],
  ["Sun, 30 Feb 2022 12:00:00 +0000", null, "never rolled over, plain form"],
  ["2003-12-31T25:14:55Z", null, "hour 25"],
  ["2003-12-31T24:14:55Z", null, "past midnight"],
  ["Sun, 16 zzz 2012 11:47:32 GMT", null, "no such month"],
  ["Tue, 14 Jul 2020 08:05:00 +2500", null, "no such offset"],
  ["0001-01-01T00:00:00Z", null, "the zero of a programming language"],
  ["2020", null, "a number"],
  ["", null, "nothing"],
  ["yesterday", null, "a word"],
]

describe("dates", () => {
  for (const [text, expected, why] of cases) {
    it(`${why}: ${text}`, () => {
      const instant = parseFeedDate(text)
      assert.strictEqual(instant === null ? null : new Date(instant).toISOString(), expected)
    })
  }

  const instants = fc.integer({ min: Date.UTC(1000, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 })

  it.prop("what a date is printed as is read back", { seconds: instants }, ({ seconds }) => {
    const date = new Date(seconds * 1000)
    const plain = date.toUTCString()
    for (const text of [plain, plain.replace("GMT", "+0000"), plain.slice(5), date.toISOString()]) {
      assert.strictEqual(parseFeedDate(text), seconds * 1000)
    }
  })

  it.prop("any text is a date or none", { text: fc.string({ maxLength: 200 }) }, ({ text }) => {
    const instant = parseFeedDate(text)
    assert.isTrue(instant === null || Number.isSafeInteger(instant))
  })

  it.prop(
    "an offset moves the instant by itself",
    { seconds: instants, minutes: fc.integer({ min: -14 * 60, max: 14 * 60 }) },
    ({ seconds, minutes }) => {
      const local = new Date(seconds * 1000).toISOString().slice(0, -1)
      const sign = minutes < 0 ? "-" : "+"
      const size = Math.abs(minutes)
      const zone = `${sign}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`
      assert.strictEqual(parseFeedDate(local + zone), seconds * 1000 - minutes * 60_000)
    },
  )
})
