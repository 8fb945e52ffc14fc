/** Shows: the batches that the newest transcripts belong to. */
import type { TranscriptionSummary } from "@earmark/api/client"
import { addressOf } from "../../addresses.js"
import { batch, transcripts } from "../../data.js"
import { agoOf } from "../../format.js"
import { Link, navigate } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { Shares } from "./Shares.js"

const text = words.shows

const batchesIn = (jobs: ReadonlyArray<TranscriptionSummary>): ReadonlyArray<string> => [
  ...new Set(jobs.flatMap(({ batch_id }) => (batch_id === null ? [] : [batch_id]))),
]

const Row = ({ id }: { readonly id: string }) => {
  const { value } = batch.use([id], { every: 5000 })
  if (value === undefined) return null
  return (
    <li class="card">
      <h2>
        <Link to="batch" params={{ id }} class="title">
          <bdi>{value.title ?? value.feed_url}</bdi>
        </Link>
      </h2>
      <p class="soft">
        {words.new.episodesOf(value.total)} · {text.billed(value.billed_minutes)} · {agoOf(value.created_at)}
      </p>
      <Shares of={value} />
    </li>
  )
}

export const Page = () => {
  const loaded = transcripts.use([{ limit: 100 }])
  return (
    <>
      <PageHead
        title={text.title}
        text={text.text}
        calls={[{ name: "transcriptions.list", query: { limit: 100 } }]}
      >
        <Button kind="primary" icon="plus" onClick={() => navigate(addressOf("new"))}>
          {text.action}
        </Button>
      </PageHead>
      <LoadedView of={loaded}>
        {({ data }) => {
          const ids = batchesIn(data)
          return ids.length === 0 ? (
            <Empty title={text.empty} text={text.emptyText}>
              <Link to="new" class="button primary">
                {text.action}
              </Link>
            </Empty>
          ) : (
            <ul class="tiles">
              {ids.map((id) => (
                <Row key={id} id={id} />
              ))}
            </ul>
          )
        }}
      </LoadedView>
    </>
  )
}
