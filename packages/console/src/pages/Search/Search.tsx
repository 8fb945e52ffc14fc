/** Search over all transcripts. */
import type { SearchHit } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import type { Params } from "../../addresses.js"
import { found } from "../../data.js"
import { clockOf } from "../../format.js"
import { playWhenOpened } from "../../player/player.js"
import { Link, query, setQuery } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { More } from "../../widgets/More.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { TextInput } from "../../widgets/TextInput.js"
import { searchingWords } from "../../words/searching.js"
import { words } from "../../words.js"

const text = searchingWords

/** The text with what was found in it marked. */
const Marked = ({ text: said, highlights }: Pick<SearchHit, "text" | "highlights">) => {
  let at = 0
  const parts = highlights.flatMap(([from, to]) => {
    const before = said.slice(at, from)
    at = to
    return [before, <mark key={from}>{said.slice(from, to)}</mark>]
  })
  return (
    <p dir="auto" class="said">
      {parts}
      {said.slice(at)}
    </p>
  )
}

const Hit = ({ hit, q }: { readonly hit: SearchHit; readonly q: string }) => (
  <li>
    <Link
      to="transcript"
      params={{ id: hit.id }}
      query={{ t: hit.at, q }}
      class="moment"
      onGo={() => playWhenOpened(hit.id)}
    >
      {clockOf(hit.at)}
    </Link>
    <div>
      {hit.speaker !== null && <bdi class="who">{hit.speaker}</bdi>}
      {hit.before.map((line) => (
        <p key={line.start} dir="auto" class="around">
          {line.text}
        </p>
      ))}
      <Marked {...hit} />
      {hit.after.map((line) => (
        <p key={line.start} dir="auto" class="around">
          {line.text}
        </p>
      ))}
    </div>
  </li>
)

/** Hits in the order they came, gathered by transcript. */
const byTranscript = (
  hits: ReadonlyArray<SearchHit>,
): ReadonlyArray<readonly [SearchHit, ReadonlyArray<SearchHit>]> => {
  const gathered = new Map<string, [SearchHit, Array<SearchHit>]>()
  for (const hit of hits) {
    const group = gathered.get(hit.id)
    if (group === undefined) gathered.set(hit.id, [hit, [hit]])
    else group[1].push(hit)
  }
  return [...gathered.values()]
}

const Form = ({ q, speaker }: { readonly q: string; readonly speaker: string }) => (
  <search>
    <form
      class="asking"
      onSubmit={(event) => {
        event.preventDefault()
        const given = new FormData(event.currentTarget)
        const wanted = {
          q: String(given.get("q") ?? "").trim(),
          speaker: String(given.get("speaker") ?? "").trim(),
        }
        setQuery(wanted, { isStep: true })
      }}
    >
      <TextInput
        type="search"
        name="q"
        data-find
        aria-label={text.field}
        placeholder={text.field}
        value={q}
      />
      <TextInput
        name="speaker"
        aria-label={text.speaker}
        placeholder={text.anySpeaker}
        value={speaker}
        autocomplete="off"
      />
      <Button type="submit" kind="primary" icon="search">
        {text.submit}
      </Button>
    </form>
  </search>
)

export const Page = (_: { readonly params: Params }) => {
  const q = query.value.get("q") ?? ""
  const speaker = query.value.get("speaker") ?? ""
  const limit = useSignal(30)
  const results = found.use([q, speaker === "" ? undefined : speaker, limit.value])
  const call = { name: "transcriptions.searchAll", query: { q: q || "salt", speaker: speaker || undefined } }
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={[call]} />
      <Form q={q} speaker={speaker} />
      <LoadedView of={results}>
        {(page) => {
          if (page === null) return <Empty title={text.start} text={text.startText} />
          if (page.data.length === 0) return <Empty title={text.none} text={text.noneText} />
          return (
            <>
              <p class="soft" role="status">
                {text.total(page.total, page.total_is_exact)}
              </p>
              {byTranscript(page.data).map(([first, hits]) => (
                <section key={first.id} class="hits">
                  <h2>
                    <Link to="transcript" params={{ id: first.id }} query={{ q }}>
                      <bdi>{first.title ?? words.list.untitled}</bdi>
                    </Link>
                  </h2>
                  <ol>
                    {hits.map((hit) => (
                      <Hit key={hit.start} hit={hit} q={q} />
                    ))}
                  </ol>
                </section>
              ))}
              {page.has_more && <More limit={limit} />}
            </>
          )
        }}
      </LoadedView>
    </>
  )
}
