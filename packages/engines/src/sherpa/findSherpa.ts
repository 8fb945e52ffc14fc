import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const NAME = "sherpa-onnx-node"

/** The package with the native code for this machine, where `sherpa-onnx-node` looks for it. */
const NATIVE = `sherpa-onnx-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`

const hasNative = (path: string): boolean =>
  [join("..", NATIVE), join("node_modules", NATIVE)].some((place) =>
    existsSync(join(dirname(path), place, "sherpa-onnx.node")),
  )

/** Where the native package is: beside Earmark, or in the project that it was started in. Null where it is not installed, or not made for this machine. */
export const findSherpa = (): string | null => {
  for (const place of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      const path = createRequire(place).resolve(NAME)
      if (hasNative(path)) return path
    } catch {
      // Not there.
    }
  }
  return null
}

export const INSTALL_SHERPA = `npm install ${NAME}`
