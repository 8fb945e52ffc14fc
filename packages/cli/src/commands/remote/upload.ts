import { basename } from "node:path"
import { keepUploadName } from "@earmark/batch"
import { stateFolder } from "@earmark/runtime/user"
import { FileSystem } from "@effect/platform"
import { Effect, Option } from "effect"
import { failed, usage } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { upload as uploadSpec } from "../../grammar/remote.js"
import { note, print, printableJson } from "../../output.js"
import { ask } from "../../remote/target.js"
import { percentOf } from "../../transcribe/figures.js"

const showing = (name: string) =>
  process.stderr.isTTY
    ? ({ sent, total }: { readonly sent: number; readonly total: number }) => {
        process.stderr.write(`\r${name} ${percentOf(sent / total)}${sent === total ? "\n" : ""}`)
      }
    : undefined

export const upload = (options: Given<typeof uploadSpec>) =>
  Effect.gen(function* () {
    const { mediaTypeOf } = yield* Effect.promise(() => import("@earmark/api/client"))
    const files = yield* FileSystem.FileSystem
    for (const file of options.files) {
      const found = yield* Effect.option(files.stat(file))
      if (Option.isNone(found)) return yield* failed(`There is no file ${file}. Check the path.`)
      if (found.value.type === "Directory")
        return yield* usage(`${file} is a folder. Name its files; earmark transcribe takes folders.`)
    }
    const wrong = options.files.find((file) => mediaTypeOf(file) === undefined)
    if (wrong !== undefined) {
      return yield* usage(
        `By its name ${wrong} is neither audio nor video. Give it the ending of its format, such as .mp3.`,
      )
    }
    for (const file of options.files) {
      const { media_ref, bytes } = yield* ask(options, (client, call) =>
        client.upload(file, { ...call, onProgress: showing(file) }),
      )
      yield* keepUploadName(yield* stateFolder, media_ref, basename(file))
      yield* print(options.json ? `${printableJson({ file, media_ref, bytes })}\n` : `${media_ref}\n`)
    }
    yield* note("Within 24 hours: earmark transcribe, with what is printed here in place of a file.")
  })
