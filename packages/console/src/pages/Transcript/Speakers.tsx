import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import type { Editor } from "../../editing/useEditor.js"
import { mayWrite } from "../../session.js"
import { voicesOf } from "../../transcript/lines.js"
import { reading } from "../../words/reading.js"
import { Rename } from "./Rename.js"

const text = reading.transcript

/** Who speaks, how much, and what they are called. */
export const Speakers = ({ job, editor }: { readonly job: DoneTranscription; readonly editor: Editor }) => {
  const renamed = useSignal<string | null>(null)
  const voices = voicesOf(job)
  if (voices.length === 0) return null
  return (
    <section>
      <h2>{text.speakers}</h2>
      <ul class="speakers">
        {voices.map(({ label, place, colour, share }) => {
          const name = job.speakers[label] ?? label
          // Rounded, so that they are a hundred together.
          const percent = `${Math.round(share * 100)}%`
          return (
            <li key={label} data-who={colour} data-key={place < 10 ? place : ""}>
              <button
                type="button"
                disabled={!mayWrite()}
                onClick={() => {
                  renamed.value = label
                }}
              >
                <span dir="auto">
                  <span class="hidden">{text.rename} </span>
                  {name}
                </span>
                <small title={text.share(percent)}>{percent}</small>
              </button>
            </li>
          )
        })}
      </ul>
      {renamed.value !== null && (
        <Rename
          job={job}
          label={renamed.value}
          editor={editor}
          onClose={() => {
            renamed.value = null
          }}
        />
      )}
    </section>
  )
}
