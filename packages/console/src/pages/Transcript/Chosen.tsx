/** What can be done with the line that was chosen. */
import type { DoneTranscription } from "@earmark/api/client"
import type { Editor } from "../../editing/useEditor.js"
import { clockOf } from "../../format.js"
import { mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Copy } from "../../widgets/Once.js"
import { reading } from "../../words/reading.js"
import { LineSpeaker, LineTimes } from "./LineTools.js"

const text = reading.transcript

interface ChosenProps {
  readonly job: DoneTranscription
  /** Null before any is chosen. */
  readonly line: number | null
  readonly editor: Editor
  /** One goes on in the text. */
  readonly onEdit: () => void
  readonly onRemove: () => void
}

export const Chosen = ({ job, line, editor, onEdit, onRemove }: ChosenProps) => {
  const segment = line === null ? undefined : job.segments[line]
  if (line === null || segment === undefined) return null
  return (
    <section class="line">
      <h2>
        {text.line} {line + 1} · {clockOf(segment.start)}
      </h2>
      {mayWrite() && (
        <Button
          icon="pen"
          onClick={() => {
            onEdit()
            editor.edit(line)
          }}
        >
          {reading.editing.edit}
        </Button>
      )}
      {(job.revision ?? 0) > 0 && mayWrite() && (
        <Button onClick={editor.undo}>{reading.editing.undoNewest}</Button>
      )}
      <Copy label={text.copyText} text={segment.text} />
      <Copy label={text.copyLink} text={() => `${location.origin}/console/t/${job.id}?line=${line + 1}`} />
      {mayWrite() ? (
        <>
          <p class="help keys">{reading.editing.help}</p>
          <LineSpeaker job={job} line={line} editor={editor} />
          <LineTimes key={line} job={job} line={line} editor={editor} onRemove={onRemove} />
        </>
      ) : (
        <p class="soft">{reading.editing.readOnly}</p>
      )}
    </section>
  )
}
