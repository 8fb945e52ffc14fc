/** From a file, a link or a feed to a transcription: what it is, what it costs, go. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { addressOf } from "../../addresses.js"
import { credits, transcripts, useIsFree } from "../../data.js"
import { navigate, query } from "../../router.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { PageHead } from "../../widgets/Page.js"
import { Failure } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { DropZone } from "./DropZone.js"
import { canStart, Episodes, type EpisodesWanted, isChosen, MOST_CHOSEN } from "./Episodes.js"
import { holdPage } from "./holdPage.js"
import { isFeedLike, LinkField } from "./LinkField.js"
import { Options, type OptionsWanted, wantedOf } from "./Options.js"
import { Price, type Priced } from "./Price.js"
import { arrivedOf, isUnderWay, type Sending, sendAll, uploadAll } from "./sendAll.js"
import { startEpisodes } from "./startEpisodes.js"

const text = making.new

const CALLS = [
  { name: "credits.quote", body: { url: "https://example.com/talk.mp3" } },
  { name: "transcriptions.create", body: { url: "https://example.com/talk.mp3", diarize: true } },
  { name: "podcasts.transcribe", body: { feed: "https://example.com/feed.xml", episodes: "latest" } },
]

const START: OptionsWanted = {
  language: "",
  diarize: false,
  people: null,
  isWrong: false,
  summary: false,
  chapters: false,
  translate_to: "",
  quality: "accurate",
  vocabulary: "",
  title: "",
}

type Batch = Exclude<EpisodesWanted, ReadonlyArray<string>>

/** What the service is asked for, once everything is chosen. */
const askedOf = (link: string, wanted: OptionsWanted, feed: Batch | null) => {
  const { title, ...options } = wantedOf(wanted)
  return feed === null
    ? { url: link, ...options, ...(title !== undefined && { title }) }
    : { feed: link, episodes: feed, ...options }
}

const startLink = async (link: string, wanted: OptionsWanted, feed: Batch | null, price: Priced | null) => {
  const asked = askedOf(link, wanted, feed)
  if ("feed" in asked) {
    const { batch_id } = await earmark.podcasts.transcribe({
      ...asked,
      // Of episodes whose length nobody knows, nobody knows the price.
      ...(price !== null && price.credits !== null && !price.isAtLeast && { max_credits: price.credits }),
    })
    return addressOf("batch", { id: batch_id })
  }
  const { id } = await earmark.transcriptions.create(asked)
  return addressOf("transcript", { id })
}

interface Ready {
  /** Files that no transcription was made of yet, and how many of them have arrived. */
  readonly waiting: number
  readonly arrived: number
  readonly hasFiles: boolean
  readonly isFree: boolean
  readonly isOnlySent: boolean
  readonly price: Priced | null
}

const labelOf = ({ waiting, arrived, hasFiles, isFree, isOnlySent, price }: Ready): string => {
  if (isOnlySent) return text.submitOnlyUpload(waiting - arrived)
  if (hasFiles && isFree) return text.submitUpload(waiting)
  if (price === null || price.credits === null) return text.submit
  return price.isAtLeast ? text.submitForMore(price.credits) : text.submitFor(price.credits)
}

/** Long enough to be read: who pressed twice in haste has not agreed to a price that appears in between. */
const READABLE = 700

/** Whether something has been there for a moment. */
const useSeen = (isThere: boolean): boolean => {
  const isSeen = useSignal(false)
  useEffect(() => {
    isSeen.value = false
    if (!isThere) return undefined
    const timer = setTimeout(() => {
      isSeen.value = true
    }, READABLE)
    return () => clearTimeout(timer)
  }, [isThere])
  return isSeen.value && isThere
}

export const Page = () => {
  const files = useSignal<ReadonlyArray<File>>([])
  // A page of a show leads here with its feed.
  const given = query.value.get("feed") ?? ""
  const link = useSignal(given)
  const isFeed = useSignal(false)
  const episodes = useSignal<EpisodesWanted>("latest")
  const wanted = useSignal<OptionsWanted>(START)
  const price = useSignal<Priced | null>(null)
  const refusal = useSignal<string | undefined>(undefined)
  const sending = useSignal<Sending>(new Map())
  const work = useWork()
  const isFree = useIsFree()
  const { features } = credits.use([]).value ?? {}
  const address = link.value.trim()
  useEffect(() => {
    isFeed.value = isFeedLike(address) || (address !== "" && address === given)
    episodes.value = "latest"
  }, [address])
  const isLeft = useRef(false)
  useEffect(() => {
    const release = holdPage(() => isUnderWay(files.peek(), sending.peek()))
    return () => {
      release()
      isLeft.current = true
      for (const { stop } of sending.peek().values()) stop?.()
      files.value = []
    }
  }, [])
  const hasFiles = files.value.length > 0
  const hasLink = !hasFiles && address !== ""
  const feed = isFeed.value ? episodes.value : null
  const waiting = files.value.filter((file) => sending.value.get(file)?.isMade !== true)
  const arrived = arrivedOf(waiting, sending.value)
  // Where it costs something, the price is known once the files are there, and nothing is begun before.
  const isOnlySent = hasFiles && !isFree && arrived.length < waiting.length
  const start = () =>
    work.run(async () => {
      if (isOnlySent) return uploadAll({ files, sending })
      const next = hasFiles
        ? await sendAll({ files, sending }, wantedOf(wanted.peek()))
        : isChosen(feed)
          ? await startEpisodes(address, wantedOf(wanted.peek()), episodes)
          : await startLink(address, wanted.peek(), feed, price.peek())
      transcripts.refreshAll()
      if (next !== null && !isLeft.current) navigate(next)
    })
  const { title: _, ...each } = wantedOf(wanted.value)
  const pricedLink = () =>
    isChosen(feed)
      ? feed.slice(0, MOST_CHOSEN).map((guid) => ({ url: address, episode_guid: guid, ...each }))
      : [askedOf(address, wanted.value, feed)]
  const priced = hasFiles ? arrived.map((media_ref) => ({ media_ref, ...each })) : pricedLink()
  const isPriced = hasFiles
    ? !isFree && !isOnlySent && waiting.length > 0
    : hasLink && canStart(episodes.value)
  const isAgreed = useSeen(price.value !== null) || isFree || !isPriced
  const label = labelOf({
    waiting: waiting.length,
    arrived: arrived.length,
    hasFiles,
    isFree,
    isOnlySent,
    price: price.value,
  })
  const canBegin =
    !wanted.value.isWrong &&
    (hasFiles || (hasLink && canStart(episodes.value) && refusal.value === undefined))
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS} />
      <div class="making">
        <div class="stack">
          <DropZone
            files={files}
            sending={sending.value}
            onRemove={(sent) => {
              if (sent?.failure === work.error) work.forget()
            }}
          />
          {!hasFiles && (
            <LinkField
              link={link}
              isFeed={isFeed}
              onEnter={() => {
                if (canBegin && !work.isBusy && isAgreed) void start()
              }}
            />
          )}
          {hasLink && isFeed.value && (
            <Episodes feed={address} wanted={episodes} isLocked={features?.whole_feed === false} />
          )}
        </div>
        <aside class="card stack">
          <Options
            wanted={wanted}
            canDiarize={features?.diarize !== false}
            hasTitle={!isFeed.value && files.value.length < 2}
          />
          {isPriced && <Price asked={priced} price={price} refusal={refusal} />}
          {hasFiles && !isPriced && <p class="soft">{isFree ? text.free : text.pricedLater}</p>}
          {work.error !== undefined && work.error !== refusal.value && <Failure text={work.error} />}
          <Button
            kind="primary"
            isBusy={work.isBusy || !isAgreed}
            disabled={!canBegin}
            onClick={() => void start()}
          >
            {label}
          </Button>
        </aside>
      </div>
    </>
  )
}
