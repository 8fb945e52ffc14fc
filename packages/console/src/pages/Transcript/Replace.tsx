/** Replaces what was found, in all lines together. */
import { useSignal } from "@preact/signals"
import { replacements } from "../../editing/replacements.js"
import type { Editor } from "../../editing/useEditor.js"
import { mayWrite } from "../../session.js"
import type { Line } from "../../transcript/lines.js"
import type { Found } from "../../transcript/TextView.js"
import { Button } from "../../widgets/Button.js"
import { Field } from "../../widgets/Field.js"
import { replacing } from "../../words/replacing.js"

interface ReplaceProps {
  readonly query: string
  readonly found: ReadonlyArray<Found>
  readonly segments: ReadonlyArray<Line>
  readonly editor: Editor
}

export const Replace = ({ query, found, segments, editor }: ReplaceProps) => {
  const given = useSignal("")
  if (!mayWrite() || found.length === 0) return null
  const replace = () => {
    const operations = replacements(segments, found, { query, by: given.value })
    if (operations.length > 0) void editor.send(operations, replacing.done(operations.length))
    else editor.failure.value = replacing.nothing
  }
  return (
    <>
      <Field label={replacing.by}>
        {(facts) => (
          <input
            {...facts}
            value={given.value}
            onInput={({ currentTarget }) => {
              given.value = currentTarget.value
            }}
          />
        )}
      </Field>
      <Button onClick={replace}>{replacing.all}</Button>
    </>
  )
}
