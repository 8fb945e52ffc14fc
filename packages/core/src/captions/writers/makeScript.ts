import { cleanText } from "../../text/cleanText.js"
import { lengthenWords } from "../../transcripts/lengthenWords.js"
import type { Segment, Word } from "../../transcripts/Transcript.js"
import type { ExportDocument } from "./ExportDocument.js"
import type { Script } from "./Script.js"

export interface ScriptOptions {
  readonly speakers: boolean
  readonly wordLevel: boolean
  readonly segments: ReadonlyArray<Segment>
  readonly language: string | null
}

const cleanOrNull = (text: string | null | undefined): string | null => cleanText(text ?? "") || null

/** The name shown for a label: as renamed, or the label itself. */
export const nameOf = (document: ExportDocument, label: string | null): string | null => {
  if (label === null) return null
  const names = document.speakerNames ?? {}
  return cleanOrNull(Object.hasOwn(names, label) ? names[label] : label) ?? cleanOrNull(label)
}

/** Labels in order of first appearance. */
export const labelsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<string> => {
  const labels = new Set<string>()
  for (const segment of segments) if (segment.speaker !== null) labels.add(segment.speaker)
  return [...labels]
}

/** A document as the writers want it. */
export const makeScript = (document: ExportDocument, options: ScriptOptions): Script => {
  const names = new Map<string, string | null>()
  const named = (label: string | null): string | null => {
    if (label === null || !options.speakers) return null
    let name = names.get(label)
    if (name === undefined) {
      name = nameOf(document, label)
      names.set(label, name)
    }
    return name
  }
  const readyWord = (word: Word, segment: Segment): Word => ({
    ...word,
    text: cleanText(word.text),
    speaker: named(word.speaker ?? segment.speaker),
  })
  const readySegment = (segment: Segment): Segment => {
    const words = segment.words.map((word) => readyWord(word, segment)).filter((word) => word.text !== "")
    return {
      ...segment,
      text: cleanText(segment.text),
      speaker: named(segment.speaker),
      words: options.wordLevel ? lengthenWords(words, segment) : words,
    }
  }
  const labels = options.speakers ? labelsOf(options.segments) : []
  return {
    id: cleanOrNull(document.id),
    title: cleanOrNull(document.title),
    summary: document.summary?.trim() || null,
    language: cleanOrNull(options.language),
    duration: document.duration,
    chapters: (document.chapters ?? []).map((chapter) => ({ ...chapter, title: cleanText(chapter.title) })),
    speakers: [...new Set(labels.map(named).filter((name) => name !== null))],
    wordLevel: options.wordLevel,
    segments: {
      *[Symbol.iterator]() {
        for (const segment of options.segments) yield readySegment(segment)
      },
    },
  }
}
