import { fileURLToPath } from "node:url"

/** The build of the console, copied beside the bundled command. */
export const CONSOLE_FOLDER = fileURLToPath(new URL("./console", import.meta.url))
