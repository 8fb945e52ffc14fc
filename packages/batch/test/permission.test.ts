import { assert, it } from "@effect/vitest"
import { explainRefusal } from "../src/work/permission.js"

const refused = (code: string, syscall: string) => Object.assign(new Error(`${code}: no`), { code, syscall })

it("tells a source that may not be read from temporary files that may not be written", () => {
  for (const code of ["EACCES", "EPERM", "EROFS"]) {
    assert.strictEqual(explainRefusal(refused(code, "open"))?.code, "source_forbidden")
    assert.strictEqual(explainRefusal(refused(code, "mkdtemp"))?.code, "temporary_unwritable")
  }
  // A folder for them that is not there, or is none.
  for (const code of ["ENOENT", "ENOTDIR"])
    assert.strictEqual(explainRefusal(refused(code, "mkdtemp"))?.code, "temporary_unwritable")
  assert.isNull(explainRefusal(refused("ENOSPC", "write")))
  assert.isNull(explainRefusal(undefined))
})
