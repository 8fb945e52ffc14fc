import type { Cue, Word } from "@earmark/core/transcripts"

const LONGEST = 7_000
const SILENCE = 1_500

/** Lines filled word by word to 42 cells, two to a cue, a new cue at a new speaker or a long silence: the usual way. */
export const greedy42 = (words: ReadonlyArray<Word>): ReadonlyArray<Cue> => {
  const cues: Array<Cue> = []
  let lines: Array<string> = []
  let shown: Array<Word> = []
  const close = () => {
    const [first] = shown
    const last = shown.at(-1)
    if (first === undefined || last === undefined) return
    cues.push({ start: first.start, end: last.end, speaker: first.speaker, lines, words: shown })
    lines = []
    shown = []
  }
  for (const word of words) {
    const first = shown[0]
    const last = shown.at(-1)
    const isNew =
      first !== undefined &&
      last !== undefined &&
      (word.speaker !== first.speaker || word.end - first.start > LONGEST || word.start - last.end > SILENCE)
    if (isNew) close()
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.text.length <= 42) {
      lines[lines.length - 1] = `${line} ${word.text}`
    } else {
      if (lines.length === 2) close()
      lines.push(word.text)
    }
    shown.push(word)
  }
  close()
  return cues
}
