import { accountLinkCases, oauthRecordCases, storeKeyCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { AccountLinks, OAuthRecords, StoreKey } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, suiteCatches } from "./breaking.js"

const records = breaksOf(OAuthRecords, oauthRecordCases)
const recordTables = breaksOfTables(oauthRecordCases)
const keys = breaksOf(StoreKey, storeKeyCases)
const keyTables = breaksOfTables(storeKeyCases)
const links = breaksOf(AccountLinks, accountLinkCases)

suiteCatches("OAuthRecords", [
  records(
    "hands out what it keeps, not copies",
    (port) => {
      const kept = new Map<string, Effect.Effect.Success<ReturnType<typeof port.find>>>()
      return {
        find: (model, id) =>
          Effect.map(port.find(model, id), (found) => {
            const known = kept.get(id) ?? found
            kept.set(id, known)
            return known
          }),
      }
    },
    "what is kept is a copy",
  ),
  recordTables(
    "keeps what is past its time",
    ({ oauthRecords }) => ({
      oauthRecords: keeping(oauthRecords, (row) => ({ ...row, expiresAt: null })),
    }),
    "a record past its time",
    "a record without an end stays",
    "a removed record is gone; a sweep",
  ),
  recordTables(
    "forgets that something was used up when it is stored again",
    ({ oauthRecords }) => ({
      oauthRecords: keeping(oauthRecords, (row, before) =>
        before?.consumedAt === row.consumedAt ? { ...row, consumedAt: null } : row,
      ),
    }),
    "a record takes the place",
  ),
  records(
    "tells everybody that they were first",
    ({ consume, find }) => ({
      consume: (model, id) =>
        Effect.zipRight(
          consume(model, id),
          Effect.map(find(model, id), (record) => record !== null),
        ),
    }),
    "of racing uses exactly one",
    "a record takes the place",
  ),
  records(
    "adds over what is there",
    ({ save }) => ({ add: (record) => Effect.as(save(record), true) }),
    "of racing additions exactly one",
    "nothing is stored for a grant",
  ),
  records(
    "revokes the grant alone",
    ({ remove }) => ({ revokeGrant: (grant) => Effect.as(remove("Grant", grant), true) }),
    "a revoked grant goes with everything",
    "whatever is stored while",
  ),
  records(
    "stores for a grant that is gone",
    ({ save }) => ({ save: ({ grant: _, ...record }) => save(record) }),
    "nothing is stored for a grant",
  ),
  records(
    "lists everybody's",
    ({ list }) => ({ list: (model, page) => list(model, { ...page, account: null }) }),
    "a list has the records",
  ),
  records(
    "does not renew",
    () => ({ renew: () => Effect.void }),
    "a record without an end stays; one that is renewed",
  ),
])

suiteCatches("AccountLinks", [
  links(
    "links anew",
    ({ link, unlink }) => ({ link: (who, account) => Effect.zipRight(unlink(who), link(who, account)) }),
    "somebody has the account that was linked first",
    "of racing links",
  ),
  links(
    "forgets who the issuer is",
    ({ find, link }) => ({
      find: (who) => find({ ...who, issuer: "" }),
      link: (who, account) => link({ ...who, issuer: "" }, account),
    }),
    "the same subject at another issuer",
  ),
  links("keeps links", () => ({ unlink: () => Effect.succeed(true) }), "a link can be taken away"),
])

suiteCatches("StoreKey", [
  keys(
    "tells everybody that their key is the one",
    () => ({ claim: (id) => Effect.succeed(id) }),
    "of racing claims",
    "a key takes the place",
  ),
  keys(
    "is claimed anew each time",
    ({ replace }) => ({ claim: (id) => Effect.as(replace(id), id) }),
    "of racing claims",
    "a key takes the place",
  ),
  keys(
    "keeps the first key for ever",
    ({ claim }) => ({
      replace: (id) => Effect.map(claim(id), (before) => ({ before, forgotten: 0 })),
    }),
    "a key takes the place",
    "what other keys have sealed",
  ),
  keyTables(
    "keeps what other keys have sealed",
    ({ oauthRecords }) => ({ oauthRecords: { ...oauthRecords, deleteWhere: () => undefined } }),
    "what other keys have sealed",
  ),
  keyTables(
    "forgets everything of agents",
    ({ oauthRecords }) => ({
      oauthRecords: { ...oauthRecords, deleteWhere: () => oauthRecords.deleteWhere(() => true) },
    }),
    "what other keys have sealed",
  ),
])
