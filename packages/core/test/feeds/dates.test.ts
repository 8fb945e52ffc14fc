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
  ["Tue, 14 Jul 2020 08:05:00 +2500", "2020-07-14T08:05:00.000Z", "an impossible offset is UTC"],
  ["Thu, 01 Jan 2026 10:00:00 +3000", "2026-01-01T10:00:00.000Z", "an impossible offset, plain form"],
  ["2020-07-14T08:05:00+05:75", "2020-07-14T08:05:00.000Z", "impossible minutes of an offset"],
  ["2020-07-14T08:05:00+053000", "2020-07-14T08:05:00.000Z", "too many digits in an offset"],
  ["2020-07-14 08:05:00 +53", "2020-07-14T08:05:00.000Z", "too many hours in an offset"],
  ["Mon, 02 Jan 2006 15:04:05 -0700 MST", "2006-01-02T22:04:05.000Z", "an offset and its name"],
  ["2006-01-02 15:04:05.999 -0700 MST", "2006-01-02T22:04:05.999Z", "what Go prints"],
  ["January 2, 2006", "2006-01-02T00:00:00.000Z", "a day without a time, the month first"],
  ["Monday, January 2, 2006 03:04 PM", "2006-01-02T15:04:00.000Z", "a weekday before the month"],
  ["Jan 02,2006", "2006-01-02T00:00:00.000Z", "no blank before the year"],
  ["Jan. 2nd, 2006 at 3:04 pm", "2006-01-02T15:04:00.000Z", "an ordinal, and `at`"],
  ["May 5 2019", "2019-05-05T00:00:00.000Z", "no comma before the year"],
  ["Mon, 02 Jan 2006 15:4:5 +0100", "2006-01-02T14:04:05.000Z", "minutes and seconds of one digit"],
  ["2006-1-2T5:4:3Z", "2006-01-02T05:04:03.000Z", "one digit in everything"],
  ["Montag, 2. Januar 2006 15:04 Uhr", "2006-01-02T15:04:00.000Z", "German"],
  ["Di, 14 Okt 2014 08:00:00 +0200", "2014-10-14T06:00:00.000Z", "German, short"],
  ["3. März 2020", "2020-03-03T00:00:00.000Z", "German, with a mark"],
  ["05 Mai 2021 10:00:00 +0200", "2021-05-05T08:00:00.000Z", "German and French"],
  ["Do, 24 Dez 2020 18:00:00 MEZ", "2020-12-24T17:00:00.000Z", "German, with its zone"],
  ["Mo, 29 Juli 2024 18:00 MESZ", "2024-07-29T16:00:00.000Z", "German, with its summer zone"],
  ["lun., 1er février 2016 07:30:00 +0100", "2016-02-01T06:30:00.000Z", "French"],
  ["mar. 14 juin 2016 07:30 GMT", "2016-06-14T07:30:00.000Z", "French, June"],
  ["14 juil. 2016 à 07:30", "2016-07-14T07:30:00.000Z", "French, July"],
  ["15 août 2016", "2016-08-15T00:00:00.000Z", "French, August"],
  ["ven., 25 déc. 2020 12:00:00 +0000", "2020-12-25T12:00:00.000Z", "French, December"],
  ["lunes, 2 de enero de 2006, 15:04:05 -0300", "2006-01-02T18:04:05.000Z", "Spanish"],
  ["sáb, 01 ago 2020 10:00:00 GMT", "2020-08-01T10:00:00.000Z", "Spanish, August"],
  ["7 de setiembre de 2019", "2019-09-07T00:00:00.000Z", "Spanish, September"],
  ["vie, 24 dic 2021 10:00:00 GMT", "2021-12-24T10:00:00.000Z", "Spanish, December"],
  ["ter, 4 fev 2020 10:00:00 -0300", "2020-02-04T13:00:00.000Z", "Portuguese"],
  ["terça-feira, 1 de março de 2022 às 10:00", "2022-03-01T10:00:00.000Z", "Portuguese in words"],
  ["qui, 09 set 2021 10:00:00 GMT", "2021-09-09T10:00:00.000Z", "Portuguese, September"],
  ["12 out 2021", "2021-10-12T00:00:00.000Z", "Portuguese, October"],
  ["1136214245", "2006-01-02T15:04:05.000Z", "seconds since 1970"],
  ["1136214245.25", "2006-01-02T15:04:05.250Z", "seconds and a fraction"],
  ["1136214245123", "2006-01-02T15:04:05.123Z", "milliseconds since 1970"],
  ["31 juin 2016", null, "never rolled over, in French"],
  ["January 2", null, "no year"],
  ["12345678", null, "a number that is not a date"],
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
