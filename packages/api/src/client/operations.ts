// Made from the OpenAPI document by `npm run docs`. Do not edit.

export interface OperationFacts {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly takes?: "query" | "body"
  /** Takes an Idempotency-Key. */
  readonly repeatable?: true
  /** Answers a page of a list. */
  readonly paged?: true
}

/** Where each operation is. */
export const operations = {
  transcriptions: {
    /** Create a transcription. Exactly one of `url`, `media_ref` and `blob_url` names the source. With `transcript_text` the text is given, and each of its words gets its time. 202: the job is queued. 200: the result is cached or comes from published captions, and is there at once. Needs the scope `transcriptions:write`. */
    create: {
      method: "POST",
      path: "/api/v1/transcriptions",
      takes: "body",
      repeatable: true,
    },
    /** List transcriptions. Without text, segments and extras. `q` is looked for in titles; texts are searched with `transcriptions.searchAll`. Pages do not shift when jobs are added. Needs the scope `transcriptions:read`. */
    list: {
      method: "GET",
      path: "/api/v1/transcriptions",
      takes: "query",
      paged: true,
    },
    /** Count transcriptions by status. How many transcriptions of the account are queued, done and failed. 10,000 means so many or more. Needs the scope `transcriptions:read`. */
    counts: {
      method: "GET",
      path: "/api/v1/counts",
    },
    /** Get a transcription. With `wait`, answers as soon as the job ends, or after so many seconds. The `ETag` changes with the job; `If-None-Match` is answered with 304. With `revision`, the transcript as it was then; 0 is what was heard. Needs the scope `transcriptions:read`. */
    get: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}",
      takes: "query",
    },
    /** Change title, metadata or speaker names. A field left out stays as it is; null takes it away. Needs the scope `transcriptions:write`. */
    update: {
      method: "PATCH",
      path: "/api/v1/transcriptions/{id}",
      takes: "body",
    },
    /** Delete a transcription. A running job is canceled first. Text and media are gone. Needs the scope `transcriptions:write`. */
    delete: {
      method: "DELETE",
      path: "/api/v1/transcriptions/{id}",
    },
    /** Follow a transcription. Server-sent events: `progress`; `segment`, each line as soon as it is recognised (before speakers are told apart); `done` or `failed` as the last event. Reconnect with the `id` of the last event in `Last-Event-ID`: nothing is lost, and no line comes twice, whichever process answers. 204: the end was told already. Every 15 seconds without news there is a comment. Needs the scope `transcriptions:read`. */
    events: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/events",
    },
    /** Cancel a transcription. A canceled job is `failed` with the code `canceled`, and bills nothing. Needs the scope `transcriptions:write`. */
    cancel: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/cancel",
    },
    /** Try a failed transcription again. With the options that it was created with. Needs the scope `transcriptions:write`. */
    retry: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/retry",
    },
    /** Export a transcript. The content type is that of the format. With `revision`, the transcript as it was then; 0 is what was heard. Needs the scope `transcriptions:read`. */
    export: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/export",
      takes: "query",
    },
    /** Make a link to an export. The address needs no key, and is good for 15 minutes. Without `revision` it gives the newest, also what is corrected meanwhile. Needs the scope `transcriptions:read`. */
    exportLink: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/export-link",
      takes: "body",
    },
    /** Get the times of the words. For players: where each word stands in the text of its segment, when it is said, and how sure the engine was, in columns of differences. Ten hours of speech take less than 300 kB compressed. `decodeWords` of `@earmark/core/text` reads them. Needs the scope `transcriptions:read`. */
    words: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/words",
    },
    /** Make a link to the recording. The address needs no key, is good for 6 hours, and answers `Range`: give it to an audio element. It is that of the listening copy where one was made, else that of the upload. What a link led to is kept as a listening copy only. Needs the scope `transcriptions:read`. */
    mediaLink: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/media-link",
    },
    /** Get the waveform of the recording. One byte a point, 0 to 255: the greatest sample of the part of the recording that the point stands for. Stored are 20 points a second. It is there for what was transcribed from its sound. Needs the scope `transcriptions:read`. */
    waveform: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/waveform",
      takes: "query",
    },
    /** Publish a transcript. Gives the transcript addresses that need no key and stay the same, and the tags that tell podcast players of them. The files follow every change of the transcript. Publishing again keeps the addresses and takes the formats named. Needs the scope `transcriptions:write`. */
    publish: {
      method: "PUT",
      path: "/api/v1/transcriptions/{id}/publication",
      takes: "body",
    },
    /** Get where a transcript is published. Needs the scope `transcriptions:read`. */
    publication: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/publication",
    },
    /** Take back a published transcript. Its addresses answer 404 from now on, and are not given out again. Nothing happens where it is not published. Needs the scope `transcriptions:write`. */
    unpublish: {
      method: "DELETE",
      path: "/api/v1/transcriptions/{id}/publication",
    },
    /** Correct a transcript. Applies all operations in order as the next revision, or none of them. Each names a line, counted from 0, as the operations before it left them. `base_revision` is the `revision` that you read; 409 `revision_conflict` tells the newest where somebody was faster. What was heard is kept as revision 0. Needs the scope `transcriptions:write`. */
    edit: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/edits",
      takes: "body",
      repeatable: true,
    },
    /** List the corrections of a transcript. Newest first. Needs the scope `transcriptions:read`. */
    edits: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/edits",
      takes: "query",
      paged: true,
    },
    /** Undo a correction. Takes back what one revision changed, as a new revision. 409 `invalid_state` where a later revision changed the same lines: undo that one first. Needs the scope `transcriptions:write`. */
    undoEdit: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/edits/{revision}/undo",
    },
    /** Ask for extras of a transcript. A summary, chapters or a translation of the newest revision. They cost nothing. `enrichment` of the transcription says how each fares. What is there already is made again only where it failed or is stale; ask once for each language of translation. Needs the scope `transcriptions:write`. */
    extras: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/extras",
      takes: "body",
    },
    /** Search in a transcript. Lines that hold every word of `q`, with the lines around them. Needs the scope `transcriptions:read`. */
    search: {
      method: "GET",
      path: "/api/v1/transcriptions/{id}/search",
      takes: "query",
      paged: true,
    },
    /** Search in all transcripts. A page may be short and have a next one. Needs the scope `transcriptions:read`. */
    searchAll: {
      method: "GET",
      path: "/api/v1/search",
      takes: "query",
      paged: true,
    },
    /** Ask a question about a transcript. Each claim cites words that were compared with the transcript. Without a language model the best passages answer, word for word. Needs the scope `transcriptions:read`. */
    ask: {
      method: "POST",
      path: "/api/v1/transcriptions/{id}/ask",
      takes: "body",
    },
    /** Ask a question about several transcripts. Exactly one of `ids`, `batch_id` and `all` names them. Those that fit the question best are read, at most 32; `coverage` says how many there are. Needs the scope `transcriptions:read`. */
    askAll: {
      method: "POST",
      path: "/api/v1/ask",
      takes: "body",
    },
    /** Follow an account. Server-sent events that never end: `job`, how a job stands, at most twice a second for each; `credits`, the balance, for keys with `billing:read`; `missed`, when more has changed than is sent one by one (over 1,000 jobs at once): read the lists again. The stream begins with the balance and every queued job. Reconnect with the `id` of the last event in `Last-Event-ID`: jobs that were created or ended meanwhile are sent too, whichever process answers. An event may come twice. Jobs that are deleted while you are not connected are not reported. Every 15 seconds without news there is a comment. Needs the scope `transcriptions:read`. */
    eventsAll: {
      method: "GET",
      path: "/api/v1/events",
    },
    /** Export several transcripts as one archive. A zip archive of up to 400 transcriptions (`ids`, with commas between them) or of a batch of up to 1,000 (`batch_id`), in one format. Files are named by their titles. What cannot be exported is a line in `problems.txt`. Needs the scope `transcriptions:read`. */
    exportAll: {
      method: "GET",
      path: "/api/v1/exports.zip",
      takes: "query",
    },
  },
  podcasts: {
    /** List the episodes of a podcast. Newest first; undated episodes last. `feed` is an RSS address, an Apple link, or the `media_ref` of an uploaded feed. Needs the scope `transcriptions:read`. */
    episodes: {
      method: "GET",
      path: "/api/v1/podcasts/episodes",
      takes: "query",
      paged: true,
    },
    /** Transcribe a whole feed. One job for each episode, all made in one step; what cannot become a job is listed in `skipped`. More than one episode is unlocked by any purchase. Needs the scope `transcriptions:write`. */
    transcribe: {
      method: "POST",
      path: "/api/v1/podcasts/transcribe",
      takes: "body",
      repeatable: true,
    },
    /** List batches. With how far each is. Needs the scope `transcriptions:read`. */
    batches: {
      method: "GET",
      path: "/api/v1/batches",
      takes: "query",
      paged: true,
    },
    /** Get the state of a batch. Needs the scope `transcriptions:read`. */
    batch: {
      method: "GET",
      path: "/api/v1/batches/{id}",
    },
    /** Retry the failed jobs of a batch. Those whose `failure` is `retryable`, newest first, as far as credits reach. They keep their options. Needs the scope `transcriptions:write`. */
    retryBatch: {
      method: "POST",
      path: "/api/v1/batches/{id}/retry",
    },
    /** Cancel what is left of a batch. Jobs that have ended stay as they are. Needs the scope `transcriptions:write`. */
    cancelBatch: {
      method: "POST",
      path: "/api/v1/batches/{id}/cancel",
    },
  },
  uploads: {
    /** Begin an upload. Send the bytes with PUT to `upload_url`, with the `Content-Type` and `Content-Length` announced here and without an API key; then create a transcription with `media_ref`. Send a large file in parts, so that a broken connection costs one part. Needs the scope `transcriptions:write`. */
    create: {
      method: "POST",
      path: "/api/v1/uploads",
      takes: "body",
      repeatable: true,
    },
    /** List the parts of an upload. Where each part of the file goes, and which have arrived. Send a part with PUT to its `upload_url`, with the content type `application/octet-stream` and without an API key, in any order. After a break ask again and send only what is missing. Addresses are good for an hour, parts for 24 hours. A part that is sent twice is refused with `invalid_state`. Needs the scope `transcriptions:write`. */
    parts: {
      method: "POST",
      path: "/api/v1/uploads/parts",
      takes: "body",
    },
    /** Join the parts of an upload. Joins the parts to one file, which may take some seconds a gigabyte. Then create a transcription with `media_ref`. `invalid_state` while a part is missing. Completing twice changes nothing. Needs the scope `transcriptions:write`. */
    complete: {
      method: "POST",
      path: "/api/v1/uploads/complete",
      takes: "body",
    },
  },
  webhooks: {
    /** Register a webhook endpoint. `secret` signs the deliveries. It is shown here and when it is rotated, and nowhere else. Needs the scope `webhooks`. */
    create: {
      method: "POST",
      path: "/api/v1/webhooks",
      takes: "body",
      repeatable: true,
    },
    /** List webhook endpoints. Needs the scope `webhooks`. */
    list: {
      method: "GET",
      path: "/api/v1/webhooks",
      takes: "query",
      paged: true,
    },
    /** Get a webhook endpoint. Needs the scope `webhooks`. */
    get: {
      method: "GET",
      path: "/api/v1/webhooks/{id}",
    },
    /** Change a webhook endpoint. Enabling one again sends nothing by itself; what was missed can be redelivered. `previous_secret_valid_until: null` ends the secrets before the current one. Needs the scope `webhooks`. */
    update: {
      method: "PATCH",
      path: "/api/v1/webhooks/{id}",
      takes: "body",
    },
    /** Delete a webhook endpoint. Needs the scope `webhooks`. */
    delete: {
      method: "DELETE",
      path: "/api/v1/webhooks/{id}",
    },
    /** Rotate the secret of an endpoint. During `grace_seconds` deliveries carry a signature by each valid secret, that of the new one first: two, or three after two rotations. `previous_secret_valid_until` says when that ends. Needs the scope `webhooks`. */
    rotateSecret: {
      method: "POST",
      path: "/api/v1/webhooks/{id}/rotate-secret",
      takes: "body",
    },
    /** Send a test event to an endpoint. One attempt, also where the endpoint is disabled: then `note` says so. Needs the scope `webhooks`. */
    test: {
      method: "POST",
      path: "/api/v1/webhooks/{id}/test",
    },
    /** List the deliveries to an endpoint. Needs the scope `webhooks`. */
    deliveries: {
      method: "GET",
      path: "/api/v1/webhooks/{id}/deliveries",
      takes: "query",
      paged: true,
    },
    /** Get a delivery with everything that was tried. Needs the scope `webhooks`. */
    delivery: {
      method: "GET",
      path: "/api/v1/webhooks/{id}/deliveries/{delivery}",
    },
    /** Send a delivery once more. In any state, one attempt. Needs the scope `webhooks`. */
    redeliver: {
      method: "POST",
      path: "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
    },
  },
  credits: {
    /** Get the credit balance. One credit is one minute. `available` is `balance` less what running jobs hold. Needs the scope `billing:read`. */
    get: {
      method: "GET",
      path: "/api/v1/credits",
    },
    /** List the ledger. The amounts of all entries sum to `balance`. Needs the scope `billing:read`. */
    entries: {
      method: "GET",
      path: "/api/v1/credits/entries",
      takes: "query",
      paged: true,
    },
    /** Set auto-reload. Credits are bought when fewer than `threshold` are available, up to `monthly_cap`. Refused when there is no way to charge the account. Needs the scope `billing:write`. */
    setAutoReload: {
      method: "PUT",
      path: "/api/v1/credits/auto-reload",
      takes: "body",
    },
    /** Buy credits. A person pays at `checkout_url`, and the credits are there once the payment is. It is null on a server that takes no payments itself: its operator confirms the purchase after payment. A server with billing turned off refuses with `invalid_state`. Needs the scope `billing:write`. */
    purchase: {
      method: "POST",
      path: "/api/v1/credits/purchases",
      takes: "body",
      repeatable: true,
    },
    /** List purchases. With how the payment of each stands. `checkout_url` is null here: it is told when a purchase is begun. Reloads are no purchases, see the ledger. Needs the scope `billing:read`. */
    purchases: {
      method: "GET",
      path: "/api/v1/credits/purchases",
      takes: "query",
      paged: true,
    },
    /** Get a purchase. The credits are there when `state` is `succeeded`. `checkout_url` is null here: it is told when a purchase is begun. Needs the scope `billing:read`. */
    getPurchase: {
      method: "GET",
      path: "/api/v1/credits/purchases/{id}",
    },
    /** Cancel a purchase. Only a purchase that the operator confirms, until it is paid: its state is then `canceled`, and it cannot be confirmed any more. A repeat gets the same answer. Needs the scope `billing:write`. */
    cancelPurchase: {
      method: "POST",
      path: "/api/v1/credits/purchases/{id}/cancel",
    },
    /** Ask for a price. The body of a transcription, or that of a whole feed. Free of charge. The length of a link or an upload is read from the beginning and the end of the file; `minutes` and `credits` are null where they do not tell it, and `unknown_because` says why. Needs the scope `transcriptions:read`. */
    quote: {
      method: "POST",
      path: "/api/v1/quotes",
      takes: "body",
    },
    /** Get usage. Of the last thirty days unless told otherwise. Needs the scope `billing:read`. */
    usage: {
      method: "GET",
      path: "/api/v1/usage",
      takes: "query",
    },
  },
  keys: {
    /** List API keys. Without their values. Needs the scope `keys`. */
    list: {
      method: "GET",
      path: "/api/v1/keys",
      takes: "query",
      paged: true,
    },
    /** Make an API key. `key` is shown once. A key has at most the scopes of the key that made it. With `monthly_credits` its jobs use at most so many credits in a calendar month (UTC); such a key cannot have the scope `keys`. Needs the scope `keys`. */
    create: {
      method: "POST",
      path: "/api/v1/keys",
      takes: "body",
    },
    /** Change the name or the monthly limit of an API key. What is left out stays as it is; so does what the key may do. A key with the scope `keys` has no limit, since it could make others. Needs the scope `keys`. */
    update: {
      method: "PATCH",
      path: "/api/v1/keys/{id}",
      takes: "body",
    },
    /** Revoke an API key. It stays listed. Revoking twice changes nothing. Needs the scope `keys`. */
    revoke: {
      method: "DELETE",
      path: "/api/v1/keys/{id}",
    },
  },
  grants: {
    /** List the apps that may act for the account. Those that a person let in, such as assistants, with what each may do. Needs the scope `keys`. */
    list: {
      method: "GET",
      path: "/api/v1/grants",
      takes: "query",
      paged: true,
    },
    /** Revoke what an app may do. Its tokens open nothing from now on. It can ask to be let in again. Needs the scope `keys`. */
    revoke: {
      method: "DELETE",
      path: "/api/v1/grants/{id}",
    },
  },
  account: {
    /** Get the account. Whom a key or a session acts for, what it may do, and what can be had on this server. */
    get: {
      method: "GET",
      path: "/api/v1/account",
    },
  },
  host: {
    /** Whether the process answers. */
    healthz: {
      method: "GET",
      path: "/healthz",
    },
    /** Whether the service can work. 503 while its store cannot be reached, or takes no writes. */
    readyz: {
      method: "GET",
      path: "/readyz",
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, OperationFacts>>>>
