/** Shows: the batches, newest first. */

import type { BatchStatus } from "@earmark/api/client"
import { addressOf } from "../../addresses.js"
import { batches } from "../../data.js"
import { isOfJobs } from "../../live.js"
import { Link, navigate } from "../../router.js"
import { mayWrite } from "../../session.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { showsWords } from "../../words/shows.js"
import { Shares } from "./Shares.js"

const text = showsWords
const CALLS = [{ name: "podcasts.batches" }]

const Row = ({ of }: { readonly of: BatchStatus }) => (
  <li class="card">
    <h2>
      <Link to="batch" params={{ id: of.batch_id }} class="title">
        <bdi>{of.title ?? of.feed_url}</bdi>
      </Link>
    </h2>
    <p class="soft">
      {making.new.episodesOf(of.total)} · {text.billed(of.billed_minutes)} · <Ago of={of.created_at} />
    </p>
    <Shares of={of} />
  </li>
)

export const Page = () => {
  const loaded = batches.use([], { every: 5000, when: isOfJobs })
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS}>
        {mayWrite() && (
          <Button kind="primary" icon="plus" onClick={() => navigate(addressOf("new"))}>
            {text.action}
          </Button>
        )}
      </PageHead>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            mayWrite() ? (
              <Empty title={text.empty} text={text.emptyText}>
                <Link to="new" class="button primary">
                  {text.action}
                </Link>
              </Empty>
            ) : (
              <Empty title={text.empty} />
            )
          ) : (
            <ul class="tiles">
              {data.map((each) => (
                <Row key={each.batch_id} of={each} />
              ))}
            </ul>
          )
        }
      </LoadedView>
    </>
  )
}
