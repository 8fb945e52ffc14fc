/** What an engine was given, and what was heard. */
import type { AudioWindow, Recognition, WorkFailed } from "@earmark/service"
import { Effect } from "effect"

/** Which windows an engine was given, as texts. */
export const asked = () => {
  const calls: Array<string> = []
  /** Notes a window and gives an answer. */
  const noting =
    (answer: (window: AudioWindow, call: number) => Effect.Effect<Recognition, WorkFailed>) =>
    (window: AudioWindow) =>
      Effect.suspend(() => {
        const call = calls.push(`${window.start}-${window.end}`)
        return answer(window, call)
      })
  return { calls, noting }
}

export const textsOf = ({ words }: { readonly words: ReadonlyArray<{ readonly text: string }> }) =>
  words.map(({ text }) => text)
