/** Commands that this machine does alone, and the servers that it runs. */
import { captionFormats, exportFormatNames } from "@earmark/core/captions/formats"
import { argument, choice, command, flag, text, whole } from "./Grammar.js"
import { jsonAnswer, layout, textLanguage, wordLevel } from "./shared.js"

export const captions = command({
  text: "Convert caption or transcript files, change their layout, or check them",
  takes: {
    files: argument("file", "some", "Caption or transcript files, or - for standard input", {
      completes: "files",
    }),
    from: choice(captionFormats, "The format of the file, when its content does not tell"),
    format: choice(exportFormatNames, "The format to write", { short: "f", alias: "to" }),
    ...layout,
    cues: { ...layout.cues, alias: "profile" },
    language: textLanguage,
    wordLevel,
    output: text(
      "Write to this file instead of standard output (-), in the format that its ending names unless --format does; the results of several files to this folder [next to each]. An existing file is replaced once the new one is complete",
      { short: "o", value: "PATH", completes: "files" },
    ),
    lint: flag(
      "Check the captions by the rules of --cues; exit code 1 when there are faults. With --format or -o, the result is checked: the report goes to standard error, with -o FILE to standard output",
    ),
    json: flag("With --lint: print its report as JSON, one line for each of several files"),
  },
  examples: [
    "earmark captions interview.vtt -f srt",
    "earmark captions *.vtt -f srt -o subtitles/",
    "earmark captions interview.vtt -o interview.docx",
    "earmark captions whisper.json --cues netflix --word-level -o interview.vtt",
    "earmark captions interview.srt --lint",
  ],
})

/** Formats that an alignment can be written in. */
export const ALIGNED_FORMATS = exportFormatNames.filter(
  (format) => format !== "docx" && format !== "chapters",
)

export const align = command({
  text: "Find when each word of a given text is said in a recording",
  takes: {
    audio: argument("audio", "one", "A recording of this machine: audio or video", { completes: "files" }),
    text: argument(
      "text",
      "one",
      "What is said in it: a plain text or a caption file, or - for standard input",
    ),
    format: choice(ALIGNED_FORMATS, "The format to write [vtt, or what the ending of --output names]", {
      short: "f",
    }),
    output: text("Write to this file instead of standard output (-)", {
      short: "o",
      value: "FILE",
      completes: "files",
    }),
    language: textLanguage,
    wordLevel,
  },
  examples: [
    "earmark align speech.mp3 speech.txt -o speech.vtt",
    "earmark align episode.mp3 episode.srt --word-level -o karaoke.vtt",
    "earmark align talk.wav talk.txt --format json --word-level",
  ],
})

export const webhook = command({
  text: "Work with webhook deliveries",
  examples: ['earmark webhook verify --secret "$SECRET" --header "$SIGNATURE" < body.json'],
  commands: {
    verify: command({
      text: "Check the signature of a webhook delivery; the raw body comes on standard input",
      takes: {
        secret: text("The endpoint's signing secret (whsec_...); may be given twice while one is rotated", {
          repeated: true,
        }),
        header: text("The Service-Signature header of the delivery: t=...,v1=...", { required: true }),
        tolerance: whole("How many seconds the signature may be old, or in the future [300]", {
          fallback: 300,
        }),
        json: jsonAnswer,
      },
      examples: ['earmark webhook verify --secret "$SECRET" --header "$SIGNATURE" < body.json'],
    }),
  },
})

export const mcp = command({
  text: "Serve the tools of Earmark to an MCP client over standard input and output: those of the server at EARMARK_BASE_URL with SERVICE_API_KEY, of the one that earmark login has saved, or of this machine alone",
  brief: "Serve the tools of Earmark to an MCP client over standard input and output",
  takes: {
    local: flag(
      "Do the work on this machine: no server and no key are needed. Transcripts are stored apart from those of earmark transcribe",
    ),
  },
  examples: ["earmark mcp", "SERVICE_API_KEY=em_live_... earmark mcp", "earmark mcp --local"],
})

export const models = command({
  text: "Download and manage the models of speech engines",
  examples: ["earmark models list", "earmark models pull moonshine-base silero-vad"],
  commands: {
    list: command({
      text: "List the models that can be pulled or were added, with what of them is here",
      takes: { json: flag("Print one JSON array instead of a table") },
      examples: ["earmark models list", "earmark models list --json"],
    }),
    pull: command({
      text: "Download models. Interrupted downloads resume",
      takes: {
        ids: argument("model", "some", "Which models: see earmark models list", { completes: "models" }),
        mirror: text("Download from this address instead: MIRROR/<model>/<file>", { value: "URL" }),
        acceptLicence: flag("Confirm that you have read the licence of the model and accept it"),
        trustOnFirstUse: flag("Accept files without a published checksum, and remember theirs"),
        json: flag("Print one JSON object a line for each model on standard output"),
      },
      examples: [
        "earmark models pull moonshine-base silero-vad",
        "earmark models pull parakeet-tdt-0.6b-v3 --accept-licence",
      ],
    }),
    add: command({
      text: "Add a model of your own for sherpa-onnx. Its files stay where they are",
      takes: {
        folder: argument("folder", "one", "The folder with the files of the model", { completes: "files" }),
        name: text("What to call it [the name of the folder]", { value: "NAME" }),
        language: text("The languages that it knows, where its files do not say: en, or en,de"),
        json: jsonAnswer,
      },
      examples: ["earmark models add ~/models/sherpa-onnx-zipformer-de --language de"],
    }),
    verify: command({
      text: "Read every byte of the models that are here, and compare checksums",
      takes: {
        some: argument("model", "any", "Which models [all that are here]", { completes: "models" }),
        json: flag("Print one JSON object a line for each model on standard output"),
      },
      examples: ["earmark models verify"],
    }),
    remove: command({
      text: "Delete the files of a model that was pulled, or forget one that was added",
      takes: { id: argument("model", "one", "Which model", { completes: "models" }), json: jsonAnswer },
      examples: ["earmark models remove whisper-tiny.en"],
    }),
  },
})

export const setup = command({
  text: "Choose your defaults for transcribe, and download the models that are missing",
  takes: {},
  examples: ["earmark setup"],
})

export const doctor = command({
  text: "Show what this machine has for transcribing, and what is missing",
  takes: { json: flag("Print one JSON array instead of lines") },
  examples: ["earmark doctor", "earmark doctor --json"],
})

export const serve = command({
  text: "Run the server: the HTTP API, and the work behind it. Its settings are environment variables",
  takes: {
    port: text("The port to listen on [EARMARK_PORT, else 8787]", { value: "N" }),
    host: text("The address to listen on [EARMARK_HOST, else 127.0.0.1]", { value: "ADDRESS" }),
    noBilling: flag(
      "Turn off billing: everybody who has a key may use everything. For a server of your own. The same as EARMARK_BILLING=off",
    ),
  },
  examples: [
    "earmark serve",
    "earmark serve --port 9000",
    "EARMARK_PORT=9000 EARMARK_ROLE=api earmark serve",
  ],
})

export const worker = command({
  text: "Run a worker: process jobs and send webhooks, without opening a port. The same as serve with EARMARK_ROLE=worker",
  takes: {},
  examples: ["EARMARK_DATABASE_URL=postgres://earmark@127.0.0.1/earmark earmark worker"],
})
