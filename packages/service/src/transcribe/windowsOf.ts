import type { SpeechEngine, WindowShape } from "../ports/Speech.js"
import type { HearingOptions } from "./Checkpoints.js"

/** Half a dozen words on both sides of a cut: enough for two windows to agree on some. */
const OVERLAP = 1500

/** How an engine wants speech cut that is heard with these options. */
export const windowsOf = (
  { capabilities, windowsFor }: SpeechEngine["Type"],
  { language, quality }: Pick<HearingOptions, "language" | "quality">,
): WindowShape => ({
  ...(windowsFor?.({ language, quality }) ?? capabilities.windows),
  // What a stand-in writes comes from no sound: two windows of it agree on nothing.
  ...(capabilities.isStandIn !== true && { overlap: OVERLAP }),
})
