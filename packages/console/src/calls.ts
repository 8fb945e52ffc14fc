/** A call of the API, as a person would write it. */
import { operations } from "@earmark/api/client"

export interface CallShown {
  /** Such as `transcriptions.list`; where the client has no call for it, such as `GET /api/v1/account`. */
  readonly name: string
  readonly ids?: ReadonlyArray<string>
  readonly query?: object
  readonly body?: object
}

interface Facts {
  readonly method: string
  readonly path: string
}

const factsOf = (name: string): Facts => {
  const [method = "GET", path] = name.split(" ")
  if (path !== undefined) return { method, path }
  const [group = "", operation = ""] = name.split(".")
  for (const [groupName, members] of Object.entries(operations))
    if (groupName === group)
      for (const [memberName, facts] of Object.entries<Facts>(members))
        if (memberName === operation) return facts
  return { method: "GET", path: "/" }
}

const given = (values: object): ReadonlyArray<[string, string]> =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )

/** Quoted for a shell: nothing in it is a command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = ({ name, ids = [], query = {}, body }: CallShown): string => {
  const { method, path } = factsOf(name)
  let index = 0
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[index++] ?? ""))
  const parameters = new URLSearchParams(given(query).map(([key, value]) => [key, value])).toString()
  const address = `${location.origin}${filled}${parameters === "" ? "" : `?${parameters}`}`
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(address)}`,
    `-H "Authorization: Bearer $EARMARK_API_KEY"`,
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
    // Answers have no line end, and the next one would stand on the same line. A file is as it is.
    ...(name === "transcriptions.export" ? [] : ["-w '\\n'"]),
  ].join(" \\\n  ")
}

const literal = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) => (each === null ? undefined : each), 2).replace(
    /"(\w+)":/g,
    "$1:",
  )

const isFilled = (value: object | undefined): value is object =>
  value !== undefined && given(value).length > 0

const callOf = ({ name, ids = [], query, body }: CallShown): string => {
  if (name.includes(" "))
    return `const answer = await fetch("${location.origin}${factsOf(name).path}", { headers: { Authorization: \`Bearer \${process.env.EARMARK_API_KEY}\` } })\nconsole.log(await answer.json())`
  const taken = [body, query].filter(isFilled).map(literal)
  const call = `earmark.${name}(${[...ids.map((id) => JSON.stringify(id)), ...taken].join(", ")})`
  // A file is read as text; all else is printed whole.
  return `console.log(await ${call}${name === "transcriptions.export" ? ".text()" : ""})`
}

/** They are asked with a body, and change nothing. */
const QUESTIONS = ["transcriptions.ask", "transcriptions.askAll", "credits.quote"]

/** Whether it makes, changes or spends something each time it runs. */
export const isChange = ({ name }: CallShown): boolean =>
  factsOf(name).method !== "GET" && !QUESTIONS.includes(name)

/** A whole program: it runs as it stands, with the key in the environment. */
export const typescriptOf = (calls: ReadonlyArray<CallShown>): string =>
  [
    'import { EarmarkClient } from "@earmark/api/client"',
    `const earmark = new EarmarkClient({\n  baseUrl: "${location.origin}",\n  apiKey: process.env.EARMARK_API_KEY ?? "",\n})`,
    ...calls.map(callOf),
  ].join("\n\n")
