import type { SpeechEngine, WindowShape } from "../ports/Speech.js"
import type { HearingOptions } from "./Checkpoints.js"

/** How an engine wants speech cut that is heard with these options. */
export const windowsOf = (
  { capabilities, windowsFor }: SpeechEngine["Type"],
  { language, quality }: Pick<HearingOptions, "language" | "quality">,
): WindowShape => windowsFor?.({ language, quality }) ?? capabilities.windows
