/** An account that has been in use for a while. */
import { EarmarkClient } from "@earmark/api/client"
import { UNENDING } from "./server.js"

export interface Seeded {
  readonly client: EarmarkClient
  readonly transcript: string
  readonly batch: string
  readonly endpoint: string
  readonly delivery: string
  /** Transcriptions in other states. */
  readonly others: { readonly failed: string; readonly running: string; readonly missing: string }
}

const media = (name: string, query: Readonly<Record<string, string>>) =>
  `https://media.example/${name}.mp3?${new URLSearchParams(query)}`

export const seed = async (origin: string, key: string): Promise<Seeded> => {
  const client = new EarmarkClient({ baseUrl: origin, apiKey: key })
  await client.credits.purchase({ credits: 600 })
  const { id: endpoint } = await client.webhooks.create({
    url: "https://hooks.example/earmark",
    description: "Production",
  })
  await client.webhooks.create({ url: "https://hooks.example/fail", description: "Staging" })
  const { id: transcript } = await client.transcriptions.create({
    url: media("museum", { seconds: "420", title: "#12 The museum of everyday things" }),
    diarize: true,
    summary: true,
    chapters: true,
    translate_to: "de",
  })
  await client.waitFor(transcript)
  await client.transcriptions.update(transcript, { speakers: { "Speaker 1": "Ann Whitlock" } })
  const names = [
    ["interview", "Interview with the harbour master", "1710"],
    ["lecture", "Lecture 4: How bread was taxed", "3340"],
    ["voice-memo", "Voice memo, Tuesday", "48"],
  ] as const
  for (const [name, title, seconds] of names)
    await client.transcriptions.create({
      url: media(name, { title, seconds }),
      language: name === "lecture" ? "de" : null,
    })
  const { id: failed } = await client.transcriptions.create({
    url: media("broken", { broken: "unsupported_media", title: "scan-0042.pdf" }),
  })
  const { batch_id } = await client.podcasts.transcribe({
    feed: "https://show.example/feed.xml?episodes=4&title=Speaking+of+food",
    episodes: "all",
  })
  const { id: running } = await client.transcriptions.create({
    url: media("vigne", { seconds: "900", title: "La vigne et le vin" }),
    language: UNENDING,
  })
  await client.keys.create({
    name: "Backup script",
    scopes: ["transcriptions:read", "transcriptions:write"],
    monthly_credits: 500,
  })
  await client.webhooks.test(endpoint)
  for (let tries = 0; tries < 100; tries++) {
    const { data } = await client.webhooks.deliveries(endpoint)
    const ended = data.find(({ state }) => state === "succeeded")
    const { queued } = await client.transcriptions.counts()
    // A page does not change while it is looked at, but for the one that never ends.
    if (ended !== undefined && queued === 1)
      return {
        client,
        transcript,
        batch: batch_id,
        endpoint,
        delivery: ended.id,
        others: { failed, running, missing: "tr_00000000000000000000" },
      }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("The account was not ready in 10 seconds")
}
