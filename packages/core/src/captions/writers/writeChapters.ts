import { seconds } from "../timestamps.js"
import { chapterTitle } from "./paragraphs.js"
import type { Script } from "./Script.js"

/** The JSON chapters of Podcasting 2.0. */
export function* writeChapters(script: Script): Generator<string> {
  const chapters = script.chapters.map((chapter) => ({
    startTime: seconds(chapter.start),
    endTime: seconds(chapter.end),
    title: chapterTitle(chapter),
  }))
  yield `${JSON.stringify({ version: "1.2.0", chapters })}\n`
}
