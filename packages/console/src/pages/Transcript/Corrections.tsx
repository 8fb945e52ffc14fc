/** What stands above the tools of the text: those of the line that is edited, what became of corrections, and drafts. */
import type { Editing } from "../../editing/editLine.js"
import type { Editor } from "../../editing/useEditor.js"
import { mayWrite } from "../../session.js"
import { besideLine } from "../../transcript/besideLine.js"
import { Button } from "../../widgets/Button.js"
import { Failure, Notice } from "../../widgets/States.js"
import { reading } from "../../words/reading.js"

const WhileEditing = ({
  of: { save, cancel, split, join },
  isFirst,
}: {
  readonly of: Editing
  /** There is no line above. */
  readonly isFirst: boolean
}) => (
  <div class="tools" role="toolbar" aria-label={reading.editing.edit} data-line-tools ref={besideLine}>
    <Button kind="primary" keepsFocus onClick={save}>
      {reading.editing.save}
    </Button>
    <Button keepsFocus onClick={cancel}>
      {reading.editing.cancel}
    </Button>
    <Button keepsFocus onClick={split}>
      {reading.editing.split}
    </Button>
    {!isFirst && (
      <Button keepsFocus onClick={join}>
        {reading.editing.join}
      </Button>
    )}
  </div>
)

/** After these there may be more to take back. */
const undoAfter = (said: string): string | null => {
  if (said.startsWith(reading.editing.saved)) return reading.editing.undo
  const isTakenBack = said === reading.editing.undone || said === reading.editing.renamedBack
  return isTakenBack ? reading.editing.undoAnother : null
}

/** A line that is not saved: what was typed, and what the line says where that has changed since. */
const DraftNotice = ({ editor: { offered, resume, discard } }: { readonly editor: Editor }) => {
  if (offered.value === null) return null
  const { draft, now, others, isElsewhere } = offered.value
  return (
    <Notice kind="warn">
      <p>{reading.editing.draft(draft.line + 1)}</p>
      <blockquote dir="auto">{draft.text}</blockquote>
      {now !== null && (
        <>
          <p>{reading.editing.changedSince}</p>
          <blockquote dir="auto">{now}</blockquote>
        </>
      )}
      {isElsewhere && <p>{reading.editing.elsewhere}</p>}
      <div class="tools">
        <Button onClick={resume}>{reading.editing.use}</Button>
        <Button onClick={discard}>{reading.editing.discard}</Button>
      </div>
      {others > 0 && <p>{reading.editing.moreDrafts(others)}</p>}
    </Notice>
  )
}

/** What became of the last correction, and a line that is not saved. */
export const Corrections = ({
  editor,
  isFirst,
}: {
  readonly editor: Editor
  /** It is the first line that is edited. */
  readonly isFirst: boolean
}) => {
  const { said, failure, again, editing, undo } = editor
  const undoName = undoAfter(said.value)
  return (
    <>
      <div class={said.value === "" ? "corrected" : "corrected said"}>
        <p role="status">{said.value}</p>
        {undoName !== null && (
          <Button kind="quiet" keepsFocus onClick={undo}>
            {undoName}
          </Button>
        )}
      </div>
      {editing.value !== null && <WhileEditing of={editing.value} isFirst={isFirst} />}
      {failure.value !== "" && <Failure text={failure.value} onRetry={again.value ?? undefined} />}
      {editing.value === null && mayWrite() && <DraftNotice editor={editor} />}
    </>
  )
}
