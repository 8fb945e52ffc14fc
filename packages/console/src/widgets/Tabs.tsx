import { addressOf, type PageName, type Params, type Query } from "../addresses.js"
import { Link, navigate } from "../router.js"

interface Tab {
  readonly label: string
  readonly to: PageName
  readonly params?: Params
  readonly query?: Query
  readonly isCurrent: boolean
}

interface TabsProps {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
}

const addressOfTab = ({ to, params = {}, query = {} }: Tab): string => addressOf(to, params, query)

/** Views that stand beside each other: links, and on a narrow window a list to choose from. */
export const Tabs = ({ label, tabs }: TabsProps) => {
  const current = tabs.find(({ isCurrent }) => isCurrent)
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          params={tab.params ?? {}}
          query={tab.query ?? {}}
          current={tab.isCurrent}
        >
          {tab.label}
        </Link>
      ))}
      <select
        aria-label={label}
        value={current === undefined ? "" : addressOfTab(current)}
        onChange={({ currentTarget }) => navigate(currentTarget.value)}
      >
        {tabs.map((tab) => (
          <option key={tab.label} value={addressOfTab(tab)}>
            {tab.label}
          </option>
        ))}
      </select>
    </nav>
  )
}
