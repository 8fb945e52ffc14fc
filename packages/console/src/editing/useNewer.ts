/** The text is read again once it was corrected elsewhere: in another window or on another machine. */
import { useEffect } from "preact/hooks"
import { onEvent } from "../live.js"
import { earmark, noteFailure } from "../session.js"
import { refresh } from "./useTurns.js"

/** Milliseconds. Events that come together are one reason to ask, and what was corrected here is answered by then. */
const TOGETHER = 1000

/** `newest`: the revision that is known here. */
export const useNewer = (id: string, newest: () => number): void =>
  useEffect(() => {
    let timer: number | undefined
    const look = async () => {
      timer = undefined
      // It is read anyway when it is seen again.
      if (document.hidden) return
      const { data } = await earmark.transcriptions.edits(id, { limit: 1 })
      if ((data[0]?.revision ?? 0) > newest()) await refresh(id)
    }
    const stop = onEvent(({ type, data }) => {
      if (type === "missed" || (type === "job" && data.id === id))
        timer ??= window.setTimeout(() => void look().catch(noteFailure), TOGETHER)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [id])
