/** What the fields of the wire mean, in one sentence each: for the document, the reference page, and the editors of those who use the client. */
import { isObject, type Json, type JsonObject, mapValues, objectIn } from "./json.js"

/** A field that means the same wherever it is; `Object.field` where it does not. */
const words: Readonly<Record<string, string>> = {
  // Lists
  limit: "How many there may be on a page.",
  cursor: "The `next_cursor` of the page before.",
  order: "Newest first (`desc`), unless told otherwise.",
  has_more: "Whether there is a next page.",
  next_cursor: "What `cursor` of the next page is; null on the last one.",
  total: "How many there are in all.",
  total_is_exact:
    "Whether `total` counts all. Where many transcripts have hits, it counts those of the first ones, and there are at least so many.",
  returned: "How many are on this page.",
  // Transcriptions
  url: "The address of the media, a podcast feed, an Apple podcast link, or a social link.",
  media_ref: "What an upload was given; good for its own account, 24 hours long.",
  blob_url: "The public address of a file of media.",
  episode_guid:
    "The guid of the episode that is meant; the latest when neither this nor `episode_index` is given.",
  episode_index: "The place of the episode that is meant: 0 is the newest.",
  title: "A name for people. That of the episode or the file unless you give one.",
  language: "The ISO code of what is spoken; recognised when left out.",
  diarize: "Tell speakers apart. Long media then costs three times as much.",
  summary: "Write a summary.",
  chapters: "Make chapters.",
  translate_to: "The ISO code of a language to translate into.",
  quality:
    "`accurate` unless told otherwise. A request that names `accurate` never takes published captions.",
  speakers: "How many people speak, as far as you know. Only with `diarize`.",
  vocabulary: "Names and words that are likely to be spoken: at most 200.",
  transcript_text:
    "What is said in it, as plain text or captions: each word gets its time, and no speech is recognized. Without `quality` and `vocabulary`.",
  start_at: "Where to begin, in seconds.",
  end_at: "Where to end, in seconds.",
  metadata: "Values of yours, kept and given back untouched: at most 16 kB of JSON.",
  delete_after_seconds:
    "How long after its end the text and the media are deleted. Reading it answers 410 from then on; lists still name it.",
  status: "`queued` until it is `done` or `failed`.",
  phase: "What is being done; null when it has ended.",
  progress: "How far it is, from 0 to 1.",
  source: "What the source turned out to be.",
  source_label: "The source as one text: its address, or the `media_ref` of an upload.",
  options: "The options that it was made with.",
  detected_language: "The language that was recognised.",
  duration_seconds: "How long the media is.",
  word_count: "How many words there are.",
  billed_minutes: "How many minutes were charged; 0 for what failed, was cached, or has captions.",
  cached: "Whether the result of an earlier transcription was used.",
  origin: "How the text came about.",
  engine: "What recognised the speech; `aligner` where the request brought the text.",
  word_timing:
    "Where the times of the words come from: the `engine`, the sound of the words (`aligned`), or the lengths of words and sounds (`estimated`: more than 5 % of the words could not be found in the sound). `null` for captions, and for transcripts from before this was kept.",
  batch_id: "The batch that it belongs to.",
  created_at: "When it was made.",
  started_at: "When work on it began.",
  completed_at: "When it ended.",
  expires_at: "When it ends to be there; null when it stays.",
  error: "Why it failed, in a sentence.",
  failure: "Why it failed, for programs.",
  enrichment: "How the extras that were asked for fare. One that fails fails nothing else.",
  integrity: "What speaks for and against the text being whole, measured and not guessed.",
  warnings: "What was asked for and could not be honoured.",
  text: "What was said.",
  segments: "Timed lines.",
  words: "The words of the line, with `include=words`.",
  translation: "The transcript in the language of `translate_to`, line beside line.",
  start: "Where it begins, in seconds.",
  end: "Where it ends, in seconds.",
  speaker: "`Speaker 1` and so on; null when it is not known who speaks.",
  confidence: "How sure the engine is, from 0 to 1; null when it does not say.",
  wait: "Holds the answer until the transcription ends, at most that many seconds.",
  include: "`words`: with the times of single words.",
  format: "Which kind of file.",
  word_level: "With times for single words.",
  profile: "How captions are cut.",
  max_chars_per_line: "How wide a line may be.",
  max_lines: "How many lines a caption may have.",
  q: "The words to look for; every one has to be there.",
  context: "How many lines before and after a hit are shown.",
  at: "When the first of the words is said, in seconds; estimated where words have no times.",
  highlights: "Ranges of characters in `text`: from, and up to.",
  feed: "The address of a feed, an Apple podcast link, or the media_ref of a feed that was uploaded.",
  created_after: "Only what was made after this time.",
  created_before: "Only what was made before this time.",
  // Podcasts
  episodes: "`latest` (unless told otherwise), `all`, or how many of the newest.",
  max_credits: "Makes nothing when it would cost more than this.",
  skipped: "Episodes that cannot become a transcription, and why.",
  guid: "What the feed calls the episode; its audio address where it has no guid.",
  audio_url: "Where the media of the episode is.",
  published_at: "When it was published.",
  index: "Its place in the feed: 0 is the newest.",
  // Uploads
  filename:
    "The name of the file, where it has one. Its transcriptions are called so, without the extension, unless you give a title.",
  content_type:
    "`audio/*`, `video/*`, `application/ogg`, or that of a feed such as `application/rss+xml`; the PUT has to say the same.",
  bytes: "The exact length; the PUT has to have it.",
  upload_url: "Where the bytes are sent with PUT, once, without a key.",
  parts: "The parts of the file, in order. All but the last have the same size.",
  part_number: "Its place in the file: 1 is the first.",
  is_received: "Whether its bytes have arrived.",
  upload_page: "A page where a person drops the file.",
  expires_in: "For how many seconds the address is good.",
  // Corrections
  revision: "How often the transcript was corrected; 0 as it was heard.",
  base_revision: "The `revision` of the transcript that the changes were made on.",
  operations: "The changes, in their order: all are applied, or none.",
  lines: "How many lines the transcript has now.",
  undoes: "The revision that it took back; null for one that has operations.",
  made_at: "When it was made.",
  made_by: "The key it was made with; null for a program that embeds Earmark.",
  edited: "Present when a person changed the text, the speaker or the times of the line.",
  stale: "Present when it was made before the transcript was corrected.",
  // Webhooks
  events: "Which events are sent; all when left out.",
  enabled: "Whether events are sent.",
  endpoint_enabled: "Whether the endpoint is sent other events, too.",
  note: "What to know about it; only where there is something.",
  disabled_reason: "Why nothing is sent: `manual`, `failing` for days, or `gone` (410).",
  secret: "What deliveries are signed with. It is shown once.",
  previous_secret_valid_until:
    "Until when deliveries are signed with the secret before as well; null when they are not.",
  grace_seconds: "How long the secret before stays good; 0 ends it at once.",
  event_id: "The same in every attempt: keep it, to do nothing twice.",
  attempts: "How often it was tried.",
  next_at: "When it is tried again.",
  last_status: "What the endpoint answered last; null when it did not.",
  // Credits
  balance: "All credits, with those that running jobs hold.",
  held: "What running jobs hold.",
  available: "What can be spent now.",
  is_paid: "Whether anything was ever bought.",
  billing:
    "Whether this server charges for transcriptions. When false, they cost no credits and every feature is unlocked.",
  auto_reload: "Whether and when credits are bought by themselves.",
  threshold: "Credits are bought when fewer than this are available.",
  monthly_cap: "The most that is bought in a month.",
  features: "What the account may do.",
  checkout_url:
    "The page where the purchase is paid. Only in the answer to its creation; null later, and for purchases that are paid elsewhere.",
  minutes: "How many minutes.",
  credits: "How many credits.",
  rate: "Credits for a minute.",
  balance_after: "What would be left.",
  unknown_because:
    "Why a length is missing, in a sentence: that of the recording, or those of some episodes of a feed. Only then.",
  group_by: "What each row is of.",
  // Keys
  scopes: "What the key may do.",
  key: "The key itself. It is shown once.",
  prefix: "How the key begins.",
  last4: "How the key ends.",
  last_used_at: "When the key was last used.",
  revoked_at: "When the key was revoked.",
  monthly_credits: "How many credits the jobs of this key may use in a calendar month (UTC). Null: no limit.",
  is_test: "Whether jobs are scripted and cost nothing.",
  role: "`account`; `operator` for who may operate the server, `library` where a command shows the transcripts of a machine.",
  limits: "How far the account may go. Null: no limit.",
  "Account.id": "The account.",
  "Account.name": "What it is called.",
  "Account.scopes": "What this key or session may do.",
  "Account.features":
    "What can be had here: `translation` is false where no translator is set up, `auto_reload` where every purchase needs a person.",
  sign_in: "When the person signed in, and the id of the session; null for a key.",
  monthly_credits_used:
    "The credits that the key has used since the month began: what its jobs hold, and what they were charged.",

  "QueuedAcknowledgement.url": "The path of the job.",
  "DoneAcknowledgement.url": "The path of the job.",
  "QueuedAcknowledgement.status": "`queued`: read the job until it is `done` or `failed`.",
  "DoneAcknowledgement.status": "`done`: the text is there.",
  created: "When it happened, in unix seconds.",
  "Purchase.price":
    "What is paid for the credits, in the smallest unit of the currency, such as cents. Null where nothing here knows it: the operator confirms the purchase.",
  "Credits.minutes": "How many minutes `available` buys at the normal rate.",
  "WebhookEndpoint.url": "Where deliveries are sent.",
  "WebhookEndpointWithSecret.url": "Where deliveries are sent.",
  "CreateWebhookEndpoint.url": "Where deliveries are to be sent.",
  "PatchWebhookEndpoint.url": "Where deliveries are to be sent.",
  "MediaLink.url": "An address that plays the recording without a key, for a limited time.",
  "MediaLink.content_type": "The media type of the recording.",
  "MediaLink.bytes": "How large the recording is.",
  "MediaLink.exact_seek": "Whether a browser that is told to play from a moment begins there.",
  "MediaLink.expires_at": "When the address ends.",
  "parameter.points": "How many points there shall be, 2000 unless told otherwise.",
  "ExportLink.url": "An address that downloads the file without a key, for a limited time.",
  "Source.url": "Where the media is.",
  "DoneTranscription.summary": "What was said, in a few sentences.",
  "DoneTranscription.chapters": "The chapters, where they were asked for.",
  "Chapter.summary": "What the chapter is about.",
  "Quote.title": "What the episode or the file is called; null when that is not known.",
  "Chapter.title": "What the chapter is called.",
  "Options.speakers": "How many people speak, as far as was known.",
  "PatchTranscription.speakers":
    'New names, such as `{"Speaker 1": "Ann"}`, which exports and searches show; null gives a speaker the label back. At most 100 speakers have names.',
  "EditRevision.operations": "How many operations it has; 0 for an undo.",
  "EditRevision.changes":
    "What its first 10 operations are: `type` as in a correction, and `line`, counted from 0 as the operations before it left the lines; null for speakers in all lines. Older servers leave it out.",
  "ExportRequest.revision": "The revision to export; the newest when left out.",
  "DoneTranscription.speakers":
    'What speakers are called, such as `{"Speaker 1": "Ann"}`: those who have a name, given with `PATCH` or by published captions. Segments have the labels.',
  "SearchHit.speaker": "The name, or `Speaker 1` and so on; null when it is not known who speaks.",
  "ExportRequest.speakers": "Whether the file names speakers.",
  question: "What you want to know, in any words.",
  "AskTranscriptions.ids": "These transcriptions, which have to be done.",
  "AskTranscriptions.batch_id": "What is done of this batch.",
  "AskTranscriptions.all": "Everything that is done.",
  "Answer.status":
    "`supported`: a language model has answered, and quotes bear out all of it. `partial`: something is missing, or the best passages answer, word for word. `not_found`: nothing fits.",
  "Answer.text": "The claims as one text.",
  "Answer.claims": "What the answer says, each with what it rests on.",
  "Answer.coverage": "What was looked at, and what was left out.",
  "AnswerClaim.text": "One sentence; without a language model, a passage word for word.",
  "AnswerClaim.citations": "Words of transcripts, each compared with its transcript.",
  "Citation.transcription_id": "The transcription that it is in.",
  "Citation.segment_id": "The place of the line in `segments`, from 0.",
  "Citation.start": "When the words begin, in seconds.",
  "Citation.end": "When the words end, in seconds.",
  "Citation.speaker":
    "Who says it: the name, or `Speaker 1` and so on; null when it is not known who speaks.",
  "Citation.excerpt": "What is said, word for word.",
  "AnswerCoverage.transcripts": "How many finished transcripts the question was about.",
  "AnswerCoverage.transcripts_read": "How many of them were read: those that fit the question best.",
  "AnswerCoverage.lines_read": "How many lines those have.",
  "AnswerCoverage.lines_shown": "How many lines a language model was shown; 0 where the passages answer.",
  "AnswerCoverage.dropped_claims":
    "Claims that were left out, since no citation of theirs is in a transcript.",
  "AnswerCoverage.dropped_citations": "Citations that were left out, since they are not in the transcript.",
  "AnswerCoverage.note": "Why the language model did not answer; null where it did, or there is none.",
  "AnswerCoverage.cited": "The titles of the transcriptions that are cited.",
  "EpisodeList.title": "What the show is called.",
  "Episode.title": "What the feed calls the episode.",
  "Episode.guid": "What the feed calls the episode; its audio address where it has no guid.",
  "BatchStatus.status": "Whether jobs of it still run.",
  "PublishedTranscript.url": "Where the transcript is.",
  "PublishedTranscript.language": "The ISO code of its language.",
  "Translation.language": "The ISO code of its language.",
  "Episode.language": "The ISO code of its language.",
  "ExportRequest.language": "The ISO code of the transcript or of its translation.",
  "Options.language": "The ISO code that was asked for; null where it was to be recognised.",
  "Options.summary": "Whether a summary was asked for.",
  "Options.chapters": "Whether chapters were asked for.",
  "Options.diarize": "Whether speakers were to be told apart.",
  "Options.translate_to": "The language that was asked for.",
  "Enrichment.summary": "How the summary fares.",
  "Enrichment.chapters": "How the chapters fare.",
  "Enrichment.translation": "How the translation fares that is shown.",
  "Enrichment.translations": "How every translation fares, by its language.",
  "AskForExtras.summary": "Whether a summary is wanted.",
  "AskForExtras.chapters": "Whether chapters are wanted.",
  "AskForExtras.translate_to": "The ISO code of the language of a translation.",
  "TranscriptExtras.enrichment": "How the extras fare.",
  "parameter.translation": "The ISO code of the translation to show; the first one when left out.",
  "DeliveryAttempt.status": "What the endpoint answered; null when it did not.",
  "DeliveryAttempt.error": "Why there was no answer.",
  "Warning.option": "The option that was not honoured.",
  "ApiKey.expires_at": "When the key ends; null when it does not.",
  "ApiKeyWithValue.expires_at": "When the key ends; null when it does not.",
  "CreateApiKey.expires_at": "When the key is to end; never when left out.",
  "ExportLink.expires_at": "When the address ends.",

  "parameter.status": "Only those in this state.",
  "parameter.ids": "The ids of the transcriptions, with commas between them.",
  "parameter.kind": "Only entries of this kind.",
  "parameter.event_type": "Only deliveries of this event.",
  "parameter.phase": "Only those in this phase.",
  "parameter.language":
    "The ISO code of a language: only what is in it, or the text or translation that is meant.",
  "parameter.speakers": "Whether the file names speakers.",
  "parameter.speaker": "Only lines of this speaker: the name, or the label such as `Speaker 1`.",
  "parameter.batch_id": "Only those of this batch.",
  "parameter.revision":
    "The transcript as it was at this revision; 0 is what was heard, and the newest is given when it is left out.",
  "parameter.from": "From here on.",
  "parameter.to": "Up to here.",
}

/** Said of a value by its kind, which the type and the limits say as well. */
const MECHANICAL =
  /^(a whole number|a text of|a number between|seconds from|an id that begins|an address|an ISO language code|at most \d+ terms|An RFC 3339 time such)/

const told = (name: string, owner: string, schema: Json): Json => {
  if (!isObject(schema) || schema.$ref !== undefined) return schema
  const { description } = schema
  if (typeof description === "string" && !MECHANICAL.test(description)) return schema
  const sentence = words[`${owner}.${name}`] ?? words[name]
  return sentence === undefined ? schema : { ...schema, description: sentence }
}

/** The schemas of a document, with what each of their fields means. */
export const withWords = (schemas: JsonObject): JsonObject =>
  mapValues(schemas, (schema, owner) => {
    const object = objectIn(schema)
    // What a problem says of itself stands in its title.
    return object.properties === undefined || owner.endsWith("Problem")
      ? schema
      : {
          ...object,
          properties: mapValues(objectIn(object.properties), (inner, name) => told(name, owner, inner)),
        }
  })

/** A parameter, with what it means. */
export const parameterWithWords = (parameter: Json): Json => {
  const { name, description, schema, ...rest } = objectIn(parameter)
  const isTold = typeof description === "string" && !MECHANICAL.test(description)
  const inner = objectIn(told(String(name), "parameter", schema ?? {}))
  const sentence = isTold ? description : inner.description
  return {
    name: name ?? "",
    ...rest,
    ...(sentence !== undefined && { description: sentence }),
    schema: inner,
  }
}
