import { seconds } from "../timestamps.js"
import { jsonText } from "./jsonText.js"
import type { Script } from "./Script.js"

/** The JSON chapters of Podcasting 2.0. */
export function* writeChapters(script: Script): Generator<string> {
  const chapters = script.chapters.map((chapter) => ({
    startTime: seconds(chapter.start),
    endTime: seconds(chapter.end),
    title: chapter.title,
  }))
  yield `${jsonText({ version: "1.2.0", chapters })}\n`
}
