import { extensionOf } from "@earmark/core/wire"
import { assert, it } from "@effect/vitest"
import { mediaTypeOf, mediaTypes } from "../../src/client/mediaTypes.js"

it("every type that a name is announced as is one that the service has an extension for", () => {
  for (const [extension, type] of mediaTypes) assert.notStrictEqual(extensionOf(type), "bin", extension)
  assert.strictEqual(mediaTypeOf("A Talk.of two.MP3"), "audio/mpeg")
  assert.isUndefined(mediaTypeOf("talk"))
  assert.isUndefined(mediaTypeOf("talk.txt"))
})
