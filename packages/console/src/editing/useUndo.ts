/** Takes back what was done in this page, the newest first. */
import type { DoneTranscription } from "@earmark/api/client"
import { useRef } from "preact/hooks"
import { earmark } from "../session.js"
import { reading } from "../words/reading.js"
import { revisionToUndo } from "./operations.js"
import { type Corrections, revisionOf } from "./useMade.js"
import type { Turns } from "./useTurns.js"

const text = reading.editing

export const useUndo = (
  { id }: DoneTranscription,
  { shown, took }: Corrections,
  { said, make }: Pick<Turns, "said" | "make">,
) => {
  /** What was done here, the newest last: a revision, or how a name is taken back, which is none. */
  const done = useRef<ReadonlyArray<number | (() => Promise<unknown>)>>([])
  const note = (step: number | (() => Promise<unknown>)) => {
    done.current = [...done.current, step]
  }
  const remember = (takeBack: () => Promise<unknown>) => {
    note(takeBack)
    said.value = text.saved
  }
  const undo = () =>
    void make(async () => {
      const newest = done.current.at(-1)
      if (typeof newest === "function") {
        await newest()
        done.current = done.current.filter((each) => each !== newest)
        return text.renamedBack
      }
      const { data } = await earmark.transcriptions.edits(id, { limit: 100 })
      const own = done.current.filter((each) => typeof each === "number")
      const revision = revisionToUndo(data, own, revisionOf(shown.current))
      if (revision === null) return text.nothingToUndo
      if (revision === "unseen") return text.unseen
      took(await earmark.transcriptions.undoEdit(id, revision))
      done.current = done.current.filter((each) => each !== revision)
      return text.undone
    })
  return { note, remember, undo }
}
