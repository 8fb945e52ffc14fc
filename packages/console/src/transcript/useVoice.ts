/** Shows in the text what is heard, and keeps it in view until a person scrolls. */

import type { PlacedWord } from "@earmark/core/text"
import { effect, type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect } from "preact/hooks"
import { spokenAt } from "../player/placing.js"
import { hasBegun, isPlaying, state, time } from "../player/player.js"
import { type Line, lineAt } from "./lines.js"
import type { TextView } from "./TextView.js"

export type LineWords = ReadonlyArray<ReadonlyArray<PlacedWord>>

/** Seconds. A browser that is sent to the beginning of a word may be a moment before it: it rounds down. */
const ROUNDING = 0.001

const show = (
  view: TextView,
  lines: ReadonlyArray<Line>,
  words: LineWords | null,
  isFollowing: boolean,
): void => {
  const seconds = time.value + ROUNDING
  const line = lineAt(lines, seconds)
  const own = words?.[line] ?? []
  view.speak(line, spokenAt(own, seconds * 1000))
  if (isFollowing && isPlaying.value) view.follow(line)
}

export const useVoice = (
  view: RefObject<TextView>,
  lines: ReadonlyArray<Line>,
  words: LineWords | null,
): Signal<boolean> => {
  const isFollowing = useSignal(true)
  useEffect(
    () =>
      effect(() => {
        const isHeard = state.value === "ready" && hasBegun.value
        if (view.current !== null && isHeard) show(view.current, lines, words, isFollowing.value)
      }),
    [lines, words],
  )
  useEffect(() => {
    const onScroll = () => {
      if (isPlaying.peek() && view.current?.hasJustFollowed() === false) isFollowing.value = false
    }
    addEventListener("scroll", onScroll, { passive: true })
    return () => removeEventListener("scroll", onScroll)
  }, [])
  return isFollowing
}
