import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, resolve } from "node:path"
import { mediaTypeOf } from "@earmark/core/jobs"
import { Effect, Stream } from "effect"
import type { LocalFiles } from "../tools/LocalFiles.js"
import { ToolRefused } from "../tools/ToolRefused.js"
import { createFile, FolderReplaced } from "./createFile.js"
import { problemOfFileName } from "./newFileName.js"
import { NotMedia, openMedia } from "./openMedia.js"

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "there is a file already; nothing is overwritten",
  EISDIR: "it is a folder",
  ELOOP: "it is a link, and links are not followed",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : ""

const reasonOf = (error: unknown): string =>
  error instanceof FolderReplaced
    ? "the folder was replaced meanwhile"
    : (REASONS[codeOf(error)] ?? "it cannot be used")

const refused = (field: "path" | "save_to", detail: string, action?: string) =>
  new ToolRefused({
    code: "invalid_request",
    detail: `${field}: ${detail}`,
    ...(action !== undefined && { action }),
  })

/** Another machine, or a device of Windows: opening such a path can send the password of the person over the network. */
const ELSEWHERE = /^[\\/]{2}/

const openFile: LocalFiles["open"] = Effect.fn("localFiles.open")(function* (path) {
  if (!isAbsolute(path) || ELSEWHERE.test(path)) {
    return yield* refused("path", "Give an absolute path on this machine")
  }
  const contentType = mediaTypeOf(path)
  if (contentType === null) {
    return yield* refused("path", `The name ${basename(path)} is not that of an audio or video file`)
  }
  const trouble = (error: unknown) =>
    error instanceof NotMedia
      ? refused("path", `${path} ${error.message}; it is not sent`)
      : refused("path", `Cannot read ${path}: ${reasonOf(error)}`)
  const { file, bytes } = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => openMedia(path), catch: trouble }),
    (opened) => Effect.promise(() => opened.file.close()),
  )
  const content = Stream.fromAsyncIterable<Uint8Array, ToolRefused>(
    file.createReadStream({ autoClose: false, start: 0, highWaterMark: 256 * 1024 }),
    trouble,
  )
  return { filename: basename(path), contentType, bytes, content }
})

/** The files of this machine, as far as tools may touch them: media to read, and new files in one folder to write. */
export const makeLocalFiles = (saveFolder: string): LocalFiles => {
  const action = `Give a file name such as talk.srt. New files go directly into ${saveFolder}, or into the folder that EARMARK_MCP_SAVE_FOLDER names.`
  const actionWithoutFolder =
    "Leave save_to out to get the file in the answer. To save files, ask the person to create that folder, or to set EARMARK_MCP_SAVE_FOLDER to another one."
  /** The folder may be a link of the person; where that leads is found out once. */
  let real: string | null = null
  const folder = async (): Promise<string> => {
    real ??= await realpath(saveFolder)
    return real
  }
  return {
    open: openFile,
    save: Effect.fn("localFiles.save")(function* (given, extension, content) {
      const isNamedAlone = !isAbsolute(given)
      const name = isNamedAlone ? given : basename(given)
      if (!isNamedAlone && resolve(dirname(given)) !== resolve(saveFolder)) {
        return yield* refused("save_to", `Files are not created outside ${saveFolder}`, action)
      }
      const problem = problemOfFileName(name, extension)
      if (problem !== null) return yield* refused("save_to", problem, action)
      return yield* Effect.tryPromise({
        try: async () => createFile(await folder(), name, content),
        catch: (error) =>
          refused(
            "save_to",
            `Cannot create ${name} in ${saveFolder}: ${reasonOf(error)}`,
            codeOf(error) === "ENOENT" ? actionWithoutFolder : action,
          ),
      })
    }),
  }
}
