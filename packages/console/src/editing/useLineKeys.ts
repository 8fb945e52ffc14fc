/** The keys that correct the line that has the focus. */
import type { DoneTranscription } from "@earmark/api/client"
import type { RefObject } from "preact"
import { useEffect } from "preact/hooks"
import { onLetter } from "../letters.js"
import { mayWrite } from "../session.js"
import type { TextView } from "../transcript/TextView.js"
import { labelAt, type Operation } from "./operations.js"

const DIGITS = [..."123456789"]

/** A digit is for the line that has the focus. */
const isLine = (target: Element): boolean => target.closest(".text p") !== null

interface LineKeys {
  readonly edit: (line: number) => void
  readonly send: (operations: ReadonlyArray<Operation>) => unknown
  readonly undo: () => void
  /** Whoever types already, before the line can be edited, means no letter. */
  readonly isWaiting: () => boolean
}

export const useLineKeys = (
  job: DoneTranscription,
  view: RefObject<TextView>,
  { edit, send, undo, isWaiting }: LineKeys,
): void =>
  useEffect(() => {
    const onKey: typeof onLetter = (letter, run, mayAt) =>
      onLetter(
        letter,
        () => {
          if (!isWaiting() && mayWrite()) run()
        },
        mayAt,
      )
    const lineNow = () => view.current?.currentLine() ?? 0
    const stops = [
      onKey("e", () => edit(lineNow())),
      onKey("u", undo),
      ...DIGITS.map((digit, index) =>
        onKey(
          digit,
          () => {
            const line = lineNow()
            const speaker = labelAt(job, index + 1)
            if (speaker !== null && speaker !== job.segments[line]?.speaker)
              void send([{ type: "speaker", line, speaker }])
          },
          isLine,
        ),
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [job])
