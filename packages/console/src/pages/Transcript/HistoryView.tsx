/** Who corrected the transcript, and when; each correction can be taken back. */
import type { DoneTranscription } from "@earmark/api/client"
import { history, transcript } from "../../data.js"
import { momentOf } from "../../format.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { Empty, Failure, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.editing

export const HistoryView = ({ job }: { readonly job: DoneTranscription }) => {
  const revisions = history.use([job.id])
  const work = useWork()
  const undo = (revision: number) =>
    void work.run(async () => {
      await earmark.transcriptions.undoEdit(job.id, revision)
      await Promise.all([history.refresh([job.id]), transcript.refresh([job.id])])
    })
  return (
    <LoadedView of={revisions}>
      {({ data }) => {
        if (data.length === 0) return <Empty title={text.never} text={text.neverText} />
        const undone = new Set(data.map(({ undoes }) => undoes))
        return (
          <>
            {work.error !== undefined && <Failure text={work.error} />}
            <div class="table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{text.revision}</th>
                    <th scope="col">{text.made}</th>
                    <th scope="col">{text.by}</th>
                    <th scope="col">{text.changes}</th>
                    <th scope="col">
                      <span class="hidden">{text.undo}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ revision, made_at, made_by, operations, undoes }) => (
                    <tr key={revision}>
                      <td>{revision}</td>
                      <td>{momentOf(made_at)}</td>
                      <td>
                        <bdi>{made_by?.name ?? text.session}</bdi>
                      </td>
                      <td>{undoes === null ? text.operations(operations) : text.undoOf(undoes)}</td>
                      <td>
                        {undone.has(revision) ? (
                          <span class="soft">{text.isUndone}</span>
                        ) : (
                          <Button isBusy={work.isBusy} onClick={() => undo(revision)}>
                            {text.undo}
                            <span class="hidden"> {revision}</span>
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }}
    </LoadedView>
  )
}
