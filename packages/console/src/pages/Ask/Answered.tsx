/** An answer with the words that it rests on. */
import type { Answer, AnswerClaim, Citation } from "@earmark/api/client"
import { placeOf } from "../../addresses.js"
import { transcript } from "../../data.js"
import { clockOf } from "../../format.js"
import { playWhenOpened } from "../../player/player.js"
import { Link } from "../../router.js"
import { Empty, Notice } from "../../widgets/States.js"
import { titleOf } from "../../widgets/titleOf.js"
import { askingWords } from "../../words/asking.js"

const text = askingWords

/** `onPlay`: in the page of a transcript, where its player is. */
type Play = ((seconds: number) => void) | undefined

const NO_WORD = /[^\p{L}\p{N}]+/u
const GAP = /(\s+)/
const SHORTEST = 4

const DIGIT = /\p{N}/u

/** Which words of a text a question asks for: numbers and short words as they are, longer ones in any form. */
const soughtBy = (question: string): ((word: string) => boolean) => {
  const words = question
    .toLocaleLowerCase()
    .split(NO_WORD)
    .filter((word) => word !== "")
  const isLong = ({ length }: string) => length >= SHORTEST
  // Short words tell something only where there are no others.
  const isAlone = !words.some((word) => isLong(word) || DIGIT.test(word))
  const whole = new Set(words.filter((word) => isAlone || DIGIT.test(word)))
  const beginnings = words
    .filter((word) => isLong(word) && !whole.has(word))
    .map((word) => word.slice(0, Math.max(SHORTEST, word.length - 2)))
  return (word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning))
}

/** Words that were said, those of the question marked. */
const Marked = ({ of, sought }: { readonly of: string; readonly sought: (word: string) => boolean }) => (
  <>
    {of.split(GAP).map((word) => {
      const plain = word.toLocaleLowerCase().split(NO_WORD).join("")
      return sought(plain) ? <mark>{word}</mark> : word
    })}
  </>
)

interface CitedProps {
  readonly cited: Citation
  readonly sought: (word: string) => boolean
  readonly onPlay: Play
}

const Cited = ({ cited, sought, onPlay }: CitedProps) => (
  <li>
    <Link
      to="transcript"
      params={{ id: cited.transcription_id }}
      query={{ t: cited.start }}
      class="moment"
      onGo={() => playWhenOpened(cited.transcription_id)}
    >
      {clockOf(cited.start)}
    </Link>
    <div>
      {cited.speaker !== null && <bdi class="who">{cited.speaker}</bdi>}
      <blockquote dir="auto">
        <Marked of={cited.excerpt} sought={sought} />
      </blockquote>
      {onPlay !== undefined && (
        <button type="button" class="plain" onClick={() => onPlay(cited.start)}>
          {text.play}
          <span class="hidden"> {clockOf(cited.start)}</span>
        </button>
      )}
    </div>
  </li>
)

interface ClaimProps {
  readonly claim: AnswerClaim
  /** It is what was said, word for word, and not said twice. */
  readonly isPassage: boolean
  readonly sought: (word: string) => boolean
  readonly onPlay: Play
}

/** Whose words they are, where that is not plain from the page. */
const Source = ({ id }: { readonly id: string }) => {
  const { value } = transcript.use([id])
  return value === undefined ? null : (
    <h2>
      <Link to="transcript" params={{ id }}>
        <bdi>{titleOf(value)}</bdi>
      </Link>
    </h2>
  )
}

const Claim = ({ claim, isPassage, sought, onPlay }: ClaimProps) => {
  const [first] = claim.citations
  const place = placeOf(location.pathname)
  return (
    <section class="hits">
      {!isPassage && <p dir="auto">{claim.text}</p>}
      {first !== undefined && place?.name === "ask" && <Source id={first.transcription_id} />}
      <ol>
        {claim.citations.map((cited) => (
          <Cited
            key={`${cited.transcription_id} ${cited.segment_id}`}
            cited={cited}
            sought={sought}
            onPlay={onPlay}
          />
        ))}
      </ol>
    </section>
  )
}

const NOTES = { supported: null, partial: text.partial, not_found: null } as const

interface AnsweredProps {
  readonly question: string
  readonly answer: Answer
  readonly onPlay?: Play
}

export const Answered = ({ question, answer, onPlay }: AnsweredProps) => {
  if (answer.status === "not_found" || answer.claims.length === 0)
    return <Empty title={text.notFound} text={text.notFoundText} />
  const { lines_shown, dropped_claims, transcripts_read, transcripts } = answer.coverage
  const note = lines_shown === 0 ? text.passages(answer.claims.length) : NOTES[answer.status]
  return (
    <div class="answer" role="status">
      {note !== null && <Notice>{note}</Notice>}
      {answer.claims.map((claim) => (
        <Claim
          key={claim.text}
          claim={claim}
          isPassage={lines_shown === 0}
          sought={soughtBy(question)}
          onPlay={onPlay}
        />
      ))}
      <p class="soft">
        {text.read(transcripts_read, transcripts)}
        {dropped_claims > 0 && ` ${text.dropped(dropped_claims)}`}
      </p>
    </div>
  )
}
