import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { earmark } from "./earmark.js"
import { museum } from "./recordings.js"

/** Folders of their own, each with a state of its own, for `earmark transcribe` with the scripted engine. */
export const makeWorlds = (name: string) => {
  const place = mkdtempSync(join(tmpdir(), `earmark-${name}-`))
  let folders = 0

  const world = (environment: Readonly<Record<string, string>> = {}) => {
    const folder = join(place, String(folders++))
    mkdirSync(folder)
    const set = {
      XDG_STATE_HOME: join(folder, ".state"),
      EARMARK_ENGINE: "scripted",
      EARMARK_EGRESS_ALLOW: "127.0.0.0/8",
      ...environment,
    }
    const command = (...args: ReadonlyArray<string>) => earmark(args, "", folder, set)
    const add = (...names: ReadonlyArray<string>) => {
      for (const file of names) {
        mkdirSync(join(folder, file, ".."), { recursive: true })
        copyFileSync(museum, join(folder, file))
      }
    }
    return {
      folder,
      set,
      add,
      command,
      run: (...args: ReadonlyArray<string>) => command("transcribe", ...args),
      pipe: (input: string | Uint8Array, ...args: ReadonlyArray<string>) =>
        earmark(["transcribe", ...args], input, folder, set),
      read: (file: string) => readFileSync(join(folder, file), "utf8"),
      names: () =>
        readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((file) => !file.startsWith(".state"))
          .sort(),
    }
  }

  return { place, world, close: () => rmSync(place, { recursive: true, force: true }) }
}

/** Settings with which no engine is found. */
export const noEngine = {
  EARMARK_ENGINE: "pocketsphinx",
  EARMARK_POCKETSPHINX: "/nowhere",
  EARMARK_MODELS_DIR: "/nowhere/models",
}

/** The objects of JSON Lines. */
export const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
