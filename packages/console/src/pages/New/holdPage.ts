/** Asks before the page is left with files that would have to be chosen again. */
import { leaving } from "../../router.js"
import { making } from "../../words/making.js"

/** Asks while something would be lost. Answers how to end that. */
export const holdPage = (wouldLose: () => boolean): (() => void) => {
  const before = leaving.may
  const hold = (event: Event) => {
    if (wouldLose()) event.preventDefault()
  }
  leaving.may = () => !wouldLose() || confirm(making.new.leave)
  addEventListener("beforeunload", hold)
  return () => {
    leaving.may = before
    removeEventListener("beforeunload", hold)
  }
}
