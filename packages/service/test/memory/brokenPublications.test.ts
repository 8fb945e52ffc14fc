import { publicationCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { PublicationStore, type StoredPublication } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, suiteCatches } from "./breaking.js"

const publications = breaksOf(PublicationStore, publicationCases)
const publicationTables = breaksOfTables(publicationCases)

suiteCatches("PublicationStore", [
  publications(
    "gives a new token each time",
    ({ put, remove }) => ({
      put: (given) => Effect.zipRight(remove(given.account, given.job), put(given)),
    }),
    "publishing again keeps token",
    "of racing calls",
  ),
  publications(
    "keeps what is taken back",
    () => ({ remove: () => Effect.void }),
    "what is taken back is gone",
  ),
  publicationTables(
    "keeps what its job has left behind",
    ({ publications: table }) => ({ publications: { ...table, delete: () => undefined } }),
    "what is taken back is gone",
    "a publication goes with its job",
  ),
  publicationTables(
    "keeps other formats than those given",
    ({ publications: table }) => ({
      publications: keeping(table, (row) => ({ ...row, formats: ["json"] })),
    }),
    "publishing again keeps token",
  ),
  publications(
    "gives a publication to whoever knows its job",
    ({ put }) => {
      const known = new Map<string, StoredPublication>()
      return {
        put: (given) => Effect.tap(put(given), (made) => Effect.sync(() => known.set(made.job, made))),
        get: (_, job) => Effect.sync(() => known.get(job) ?? null),
      }
    },
    "the job of another account",
  ),
  publications(
    "lists as many as there are",
    ({ ofShow }) => ({ ofShow: (show) => ofShow(show, 1000) }),
    "a show has its own publications",
  ),
])
