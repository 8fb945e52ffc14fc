/** A library in a folder of its own, and work that is kept in it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { effectiveOptions } from "@earmark/core/jobs"
import type { Finished } from "@earmark/service"
import { Effect, Exit, FiberId } from "effect"
import { atEndOfFile } from "../../../../test/servers/endOfFile.js"
import { makeKeeper, type Work } from "../../src/library/Keeper.js"
import { openLibrary } from "../../src/library/openLibrary.js"
import { SourceFailed } from "../../src/SourceFailed.js"
import { type Made, NOTHING_SAID } from "../../src/work/Workplace.js"

/** When work of a test begins, unless it says otherwise. */
export const T = Date.UTC(2026, 10, 1)

/** A folder that goes when the tests of a file are over. */
let place: string | undefined

export const inPlace = (...names: ReadonlyArray<string>): string => {
  if (place === undefined) {
    const made = mkdtempSync(join(tmpdir(), "earmark-library-"))
    place = made
    atEndOfFile(() => {
      place = undefined
      rmSync(made, { recursive: true, force: true })
    })
  }
  return join(place, ...names)
}

let folders = 0

const lines = (texts: ReadonlyArray<string>) =>
  texts.map((text, index) => ({
    start: index * 1000,
    end: index * 1000 + 900,
    speaker: index % 2 === 0 ? "Speaker 1" : "Speaker 2",
    text,
    words: text.split(" ").map((word, at) => ({
      text: word,
      start: index * 1000 + at * 10,
      end: index * 1000 + at * 10 + 5,
      confidence: 0.5,
      speaker: index % 2 === 0 ? "Speaker 1" : "Speaker 2",
    })),
  }))

const finishedOf = (texts: ReadonlyArray<string>): Finished => ({
  content: {
    language: "en",
    segments: lines(texts),
    text: texts.join("\n"),
    summary: null,
    chapters: null,
    translation: null,
  },
  origin: "engine",
  engine: "scripted",
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: texts.length,
  wordCount: texts.join(" ").split(" ").length,
  credits: 1,
  billedMinutes: 1,
  minutes: 1,
  enrichment: {},
  integrity: null,
  warnings: [],
})

export const madeOf = (texts: ReadonlyArray<string>): Made => {
  const finished = finishedOf(texts)
  const { origin, engine, durationSeconds, wordCount: words, warnings, enrichment, content } = finished
  return {
    facts: {
      id: null,
      origin,
      engine,
      language: content.language,
      durationSeconds,
      words,
      speakers: 2,
      heardSeconds: 0,
      summary: null,
      warnings,
      gaps: [],
      doubts: [],
      wordTiming: null,
      enrichment,
    },
    finished,
    export: () => Effect.succeed([]),
    named: () => Effect.dieMessage("This test does not rename speakers"),
    corrected: (newest) => ({ ...madeOf([]), finished: { ...finished, content: newest } }),
    settled: Effect.void,
  }
}

/** Work on a file, begun at a time, in a state. */
export const workOn = (name: string, began: number, state = "1"): Work => ({
  item: { type: "file", name, path: name, below: "" },
  asked: { wordLevel: false },
  options: effectiveOptions({}),
  targets: [{ format: "txt", path: `${name}.txt` }],
  began,
  found: {
    ...NOTHING_SAID,
    title: name,
    shown: { kind: "media", url: `file:///${name}` },
    identity: `/${name}`,
    state,
    look: () => Effect.succeed({ seconds: null, keys: null }),
    transcribe: () => Effect.succeed(madeOf([])),
  },
})

export const newLibrary = (folder = inPlace(String(folders++)), hearsAgain = false) => {
  const troubles: Array<string> = []
  const unreadable: Array<number> = []
  const keeper = makeKeeper({
    folder,
    engine: null,
    hearsAgain,
    onTrouble: (message) => Effect.sync(() => void troubles.push(message)),
  })
  const ended = (work: Work, exit: Exit.Exit<Made, SourceFailed>) =>
    Effect.flatMap(keeper.begin(work), (kept) => kept.ended(exit))
  return {
    folder,
    troubles,
    keeper,
    library: openLibrary({
      folder,
      onUnreadable: (ids) => Effect.sync(() => void unreadable.push(ids.length)),
    }),
    unreadable,
    names: () => readdirSync(folder).sort(),
    keep: (work: Work, ...texts: ReadonlyArray<string>) => ended(work, Exit.succeed(madeOf(texts))),
    fail: (work: Work, code: string, message: string) =>
      ended(work, Exit.fail(new SourceFailed({ code, message }))),
    stop: (work: Work) => ended(work, Exit.interrupt(FiberId.none)),
  }
}

/** The first page of a list. */
export const ALL = { limit: 100 }

/** An export of the text alone. */
export const TEXT = {
  format: "txt",
  word_level: false,
  speakers: true,
  profile: undefined,
  language: undefined,
} as const
