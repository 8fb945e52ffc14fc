import { readFileSync } from "node:fs"
import { convertCaptions, readCaptions } from "@earmark/core/captions"
import { Either } from "effect"

const converted = Either.gen(function* () {
  const file = yield* readCaptions(readFileSync("examples/quickstart/interview.vtt"))
  for (const { line, code } of file.problems) console.error(`line ${line}: ${code}`)
  return yield* convertCaptions(file, { to: "srt" })
})

if (Either.isRight(converted)) {
  for (const chunk of converted.right.chunks) process.stdout.write(chunk)
} else {
  console.error(converted.left.message)
}
