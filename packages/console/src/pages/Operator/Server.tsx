/** The machine and the settings of the process that answers. */
import { bytesOf } from "../../format.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { LoadedView } from "../../widgets/States.js"
import { operating } from "../../words/operating.js"
import { type Check, checks, type SettingsSection, type Storage, settings, storage } from "./data.js"
import { Frame } from "./Frame.js"

const text = operating.server

const BADGES = { ok: "good", missing: "bad", old: "warn", unused: "" } as const

/** A sentence; what stands between backticks is code. */
const Sentence = ({ of }: { readonly of: string }) => (
  <>{of.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
)

const CheckRow = ({ of }: { readonly of: Check }) => (
  <li>
    <strong>{of.name}</strong> <span class={`badge ${BADGES[of.status]}`}>{text.states[of.status]}</span>
    <p class="soft">
      <Sentence of={of.detail} />
    </p>
    {of.fix !== null && (
      <p>
        {text.fix} <code>{of.fix}</code>
      </p>
    )}
  </li>
)

const Checks = () => {
  const loaded = checks.use([])
  return (
    <section class="card">
      <h2>{text.checks}</h2>
      {loaded.value === undefined && loaded.isLoading && <p class="soft">{text.checking}</p>}
      <LoadedView of={loaded}>
        {({ data }) => (
          <ul class="checks">
            {data.map((each) => (
              <CheckRow key={each.name} of={each} />
            ))}
          </ul>
        )}
      </LoadedView>
    </section>
  )
}

const keptNames: Readonly<Record<string, string>> = text.kept

const factsOf = (of: Storage): ReadonlyArray<readonly [string, string]> => [
  [text.database, text.databases[of.database]],
  [text.uploads, text.places[of.uploads]],
  [text.folder, of.folder],
  [
    text.room,
    of.free_bytes === null || of.total_bytes === null
      ? text.unknown
      : text.roomOf(bytesOf(of.free_bytes), bytesOf(of.total_bytes)),
  ],
  ...Object.entries(of.kept_seconds).map(
    ([name, seconds]) =>
      [keptNames[name] ?? name, seconds === null ? text.forGood : text.hours(seconds / 3600)] as const,
  ),
]

const Stored = () => (
  <section class="card">
    <h2>{text.storage}</h2>
    <LoadedView of={storage.use([])}>
      {(of) => (
        <dl class="facts">
          {factsOf(of).map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      )}
    </LoadedView>
  </section>
)

type Shown = SettingsSection["settings"][number]

const shownValue = (setting: Shown) => {
  if (setting.value !== null) return <code>{setting.value}</code>
  return setting.is_set ? (
    text.secret
  ) : (
    <span class="soft">
      <Sentence of={text.byDefault(setting.default)} />
    </span>
  )
}

const COLUMNS: ReadonlyArray<Column<Shown>> = [
  {
    head: text.columns.name,
    isMain: true,
    cell: ({ name, sentence }) => (
      <>
        <code>{name}</code>
        <small>
          <Sentence of={sentence} />
        </small>
      </>
    ),
  },
  { head: text.columns.value, cell: shownValue },
]

const Settings = ({ of }: { readonly of: ReadonlyArray<SettingsSection> }) => (
  <section class="card">
    <h2>{text.settings}</h2>
    <p class="soft">{text.settingsText}</p>
    {of.map(({ title, settings }) => (
      <section key={title}>
        <h3>{title}</h3>
        <DataTable columns={COLUMNS} of={settings} keyOf={({ name }) => name} />
      </section>
    ))}
  </section>
)

export const Page = () => {
  const loaded = settings.use([])
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operatorServer"
      commands={["earmark doctor"]}
      answer={loaded.value}
    >
      <Checks />
      <Stored />
      <LoadedView of={loaded}>{({ data }) => <Settings of={data} />}</LoadedView>
    </Frame>
  )
}
