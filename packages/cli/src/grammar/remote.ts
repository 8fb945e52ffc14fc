/** Commands of somebody who uses a server. */
import { argument, choice, command, text, whole } from "./Grammar.js"
import { json, jsonAnswer, listing, span, where } from "./shared.js"

export const login = command({
  text: "Save the address and the key of a server, and use it. The key is typed, or comes on standard input",
  brief: "Save the address and the key of a server, and use it",
  takes: {
    url: argument("url", "one", "The address of the server, such as https://transcripts.example"),
    name: text("What to call it [its host]", { value: "NAME" }),
    json: jsonAnswer,
  },
  examples: ["earmark login https://transcripts.example", "earmark login http://127.0.0.1:8787 < first-key"],
})

export const config = command({
  text: "Manage the servers that earmark login has saved",
  examples: ["earmark config list", "earmark config use transcripts.example"],
  commands: {
    list: command({
      text: "List the saved servers",
      takes: { json },
      examples: ["earmark config list"],
    }),
    use: command({
      text: "Use this profile from now on; without a name, use none",
      takes: { name: argument("profile", "optional", "The name of the profile"), json: jsonAnswer },
      examples: ["earmark config use transcripts.example", "earmark config use"],
    }),
    forget: command({
      text: "Forget a server and its key",
      takes: { name: argument("profile", "one", "The name of the profile"), json: jsonAnswer },
      examples: ["earmark config forget transcripts.example"],
    }),
    path: command({
      text: "Print where the profiles are stored",
      takes: {},
      examples: ["earmark config path"],
    }),
  },
})

export const upload = command({
  text: "Upload media to a server, to transcribe it there. Prints a reference to use in place of a file",
  brief: "Upload media to a server, to transcribe it there",
  takes: {
    files: argument("file", "some", "Audio or video files", { completes: "files" }),
    ...where,
    json,
  },
  examples: ["earmark upload talk.mp3"],
})

export const usage = command({
  text: "Show what was used, by day, month or key",
  takes: {
    ...where,
    from: text("Since when: a day or an RFC 3339 time [thirty days ago]", { value: "TIME" }),
    to: text("Until when: a day or an RFC 3339 time [now]", { value: "TIME" }),
    by: choice(["day", "month", "key"], "What to add up by [day]", { fallback: "day" }),
    json,
  },
  examples: ["earmark usage --by month --from 2026-01-01"],
})

const endpoint = argument("endpoint", "one", "The id of an endpoint: we_...")

export const webhooks = command({
  text: "Notify other programs when transcriptions end",
  examples: ["earmark webhooks add https://example.org/earmark"],
  commands: {
    add: command({
      text: "Register an address that is notified when transcriptions end",
      takes: {
        url: argument("url", "one", "Where deliveries go: an https address that this server can reach"),
        ...where,
        event: choice(["transcription.completed", "transcription.failed"], "Only this event [both]"),
        description: text("What the endpoint is for"),
        json,
      },
      examples: ['earmark webhooks add "$URL" --event transcription.completed'],
    }),
    list: command({
      text: "List the endpoints of the account",
      takes: { ...where, ...listing },
      examples: ["earmark webhooks list"],
    }),
    test: command({
      text: "Send a webhook.test event to an endpoint",
      takes: { endpoint, ...where, json },
      examples: ['earmark webhooks test "$ENDPOINT"'],
    }),
    rotate: command({
      text: "Create a new secret; for a while deliveries are signed with both",
      takes: {
        endpoint,
        ...where,
        grace: whole("For how many seconds the old secret signs as well [a day]"),
        json,
      },
      examples: ['earmark webhooks rotate "$ENDPOINT" --grace 3600'],
    }),
    delete: command({
      text: "Delete an endpoint. Pending deliveries to it are not sent",
      takes: { endpoint, ...where, json: jsonAnswer },
      examples: ['earmark webhooks delete "$ENDPOINT"'],
    }),
    deliveries: command({
      text: "List the deliveries to an endpoint, with their results",
      takes: {
        endpoint,
        ...where,
        state: choice(
          ["pending", "delivering", "succeeded", "failed", "canceled"],
          "Only deliveries in this state",
        ),
        event: choice(
          ["transcription.completed", "transcription.failed", "webhook.test"],
          "Only deliveries of this event",
        ),
        ...span,
        ...listing,
      },
      examples: ['earmark webhooks deliveries "$ENDPOINT" --state failed'],
    }),
    redeliver: command({
      text: "Send a delivery once more, whatever its state",
      takes: {
        endpoint,
        delivery: argument("delivery", "one", "The id of a delivery: dlv_..."),
        ...where,
        json,
      },
      examples: ['earmark webhooks redeliver "$ENDPOINT" "$DELIVERY"'],
    }),
    listen: command({
      text: "Register this machine as an endpoint, and show what comes, until Ctrl-C",
      takes: {
        ...where,
        port: whole("The port of this machine to listen on [a free one]", { fallback: 0 }),
        url: text(
          "The address under which the server reaches that port, such as that of a tunnel [this machine's own]",
          { value: "URL" },
        ),
        forward: text("Also post each delivery to this address, such as http://127.0.0.1:3000/hooks", {
          value: "URL",
        }),
        json,
      },
      examples: ["earmark webhooks listen", "earmark webhooks listen --forward http://127.0.0.1:3000/hooks"],
    }),
  },
})
