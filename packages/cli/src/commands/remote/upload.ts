import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { usage } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { note, print } from "../../output.js"
import { ask } from "../../remote/ask.js"
import { percentOf } from "../../transcribe/figures.js"
import { json } from "../administration/administer.js"
import { where } from "./options.js"

const files = Args.text({ name: "file" }).pipe(Args.withDescription("Audio or video files."), Args.atLeast(1))

const showing = (name: string) =>
  process.stderr.isTTY
    ? ({ sent, total }: { readonly sent: number; readonly total: number }) => {
        process.stderr.write(`\r${name} ${percentOf(sent / total)}${sent === total ? "\n" : ""}`)
      }
    : undefined

export const upload = Command.make("upload", { files, ...where, json }, (options) =>
  Effect.gen(function* () {
    const { mediaTypeOf } = yield* Effect.promise(() => import("@earmark/api/client"))
    const wrong = options.files.find((file) => mediaTypeOf(file) === undefined)
    if (wrong !== undefined) {
      return yield* usage(
        `By its name ${wrong} is neither audio nor video. Give it the ending of its format, such as .mp3.`,
      )
    }
    for (const file of options.files) {
      const { media_ref, bytes } = yield* ask(options, (client, { signal }) =>
        client.upload(file, { signal, onProgress: showing(file) }),
      )
      yield* print(options.json ? `${JSON.stringify({ file, media_ref, bytes })}\n` : `${media_ref}\n`)
    }
    yield* note("Transcribe it within 24 hours: earmark transcribe MEDIA_REF --server URL")
  }),
).pipe(Command.withDescription("Move media to a service, to transcribe it there. Prints what to call it."))

export const uploadPage: Page = {
  name: "upload",
  descriptor: upload.descriptor,
  examples: ["earmark upload talk.mp3"],
  children: [],
}
