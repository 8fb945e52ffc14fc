import { dialogLater } from "../../widgets/dialogLater.js"
import { words } from "../../words.js"

/** The question of what to start again costs. */
export const StartAgainLater = dialogLater(
  words.list.retry,
  async () => (await import("./StartAgain.js")).StartAgain,
)
