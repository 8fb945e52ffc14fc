import { FetchFailed, MachineTrouble, WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { explainFailure } from "../../src/transcribe/explain.js"

const ADDRESS = "https://cdn.example/a.mp3"

const unfetched = (reason: "name_unknown" | "status", status: number | null, detail: string) =>
  new WorkFailed({
    code: "source_unresolvable",
    isTransient: false,
    cause: new FetchFailed({ reason, detail, status, retryAfter: null, isTransient: false }),
  })

describe("the sentence of a failed episode", () => {
  it("is the one cause where no server answered", () => {
    const failure = unfetched("name_unknown", null, "cdn.example cannot be found; check the address")
    assert.strictEqual(
      explainFailure(failure, ADDRESS),
      `${ADDRESS}: cdn.example cannot be found; check the address.`,
    )
  })

  it("has what the engine says, but for one that is missing: that says by itself what to do", () => {
    const failureOf = (code: "engine_error" | "engine_unavailable") =>
      new WorkFailed({ code, isTransient: false, cause: new Error("moonshine-base cannot be read") })
    assert.match(
      explainFailure(failureOf("engine_error")),
      /^\S.+\. It says: moonshine-base cannot be read\.$/,
    )
    assert.strictEqual(explainFailure(failureOf("engine_unavailable")), "moonshine-base cannot be read.")
  })

  it("names the setting of a decoder that cannot be used: here the user runs the machine", () => {
    const message = 'Only WAV files can be read: the setting of ffmpeg is "/nope". Correct the setting.'
    const cause = new MachineTrouble({ message })
    const detail = "The server cannot decode media at the moment."
    const failure = new WorkFailed({ code: "internal_error", isTransient: false, detail, cause })
    assert.strictEqual(explainFailure(failure), message)
  })

  it("has what a server answered, and what that means", () => {
    const told = explainFailure(unfetched("status", 404, "cdn.example answered 404"), ADDRESS)
    assert.match(told, /^https:\/\/cdn\.example\/a\.mp3: cdn\.example answered 404\. \S.+\.$/)
  })
})
