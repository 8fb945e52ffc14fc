import { choice } from "./kinds.js"
import { setting } from "./Setting.js"

/** What is logged, to standard error. */
export const logs = {
  logLevel: setting("EARMARK_LOG_LEVEL", {
    kind: choice("trace", "debug", "info", "warning", "error", "none"),
    otherwise: "info",
    sentence: "The least level that is logged.",
  }),
  logFormat: setting("EARMARK_LOG_FORMAT", {
    kind: choice("pretty", "json"),
    otherwise: null,
    shown: "`pretty` on a terminal, else `json`",
    sentence: "Lines for people, or one JSON object a line.",
  }),
}
