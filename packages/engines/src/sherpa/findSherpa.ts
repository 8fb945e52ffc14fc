import { createRequire } from "node:module"
import { join } from "node:path"

const NAME = "sherpa-onnx-node"

/** Where the native package is: beside Earmark, or in the project that it was started in. Null when nobody installed it. */
export const findSherpa = (): string | null => {
  for (const place of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return createRequire(place).resolve(NAME)
    } catch {
      // Not there.
    }
  }
  return null
}

export const INSTALL_SHERPA = `npm install ${NAME}`
