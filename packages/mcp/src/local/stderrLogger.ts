import { Logger } from "effect"

/** Standard output is the protocol's alone. */
export const stderrLogger = Logger.withConsoleError(Logger.logfmtLogger)
