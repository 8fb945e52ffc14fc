import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { onLetter } from "../../letters.js"
import { seek, time } from "../../player/player.js"
import { doubtBeside, doubtsIn } from "../../transcript/doubts.js"
import type { TextView } from "../../transcript/TextView.js"
import type { LineWords } from "../../transcript/useVoice.js"
import { reading } from "../../words/reading.js"

interface DoubtfulWordsProps {
  readonly words: LineWords
  readonly view: RefObject<TextView>
  /** Brings the line of a moment into view. */
  readonly onGo: (seconds: number) => void
}

/** Marks words that the engine was not sure of, once that is asked for. */
export const DoubtfulWords = ({ words, view, onGo }: DoubtfulWordsProps) => {
  const isOn = useSignal(false)
  const doubts = useMemo(() => doubtsIn(words), [words])
  useEffect(() => view.current?.doubt(isOn.value ? doubts.found : []), [isOn.value, doubts])
  useEffect(() => {
    const go = (step: 1 | -1) => () => {
      const moment = doubtBeside(doubts.moments, time.peek(), step)
      if (moment === null) return
      isOn.value = true
      seek(moment)
      onGo(moment)
    }
    const stops = [onLetter("[", go(-1)), onLetter("]", go(1))]
    return () => {
      for (const stop of stops) stop()
    }
  }, [doubts])
  if (doubts.moments.length === 0) return null
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn.value}
        onChange={({ currentTarget }) => {
          isOn.value = currentTarget.checked
        }}
      />
      {reading.player.doubts}
    </label>
  )
}
