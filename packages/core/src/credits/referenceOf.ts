/** A reference without the account before it, which some transactions name more than once. */
export const ownReference = (account: string, named: string): string => {
  let reference = named
  while (reference.startsWith(`${account}:`)) reference = reference.slice(account.length + 1)
  return reference
}

/**
 * What stands behind a posting outside the ledger, from its business key: the reference of a grant, `stripe:pi_1` for a payment or
 * a refund. Null where the key names nothing else than the account or the job.
 */
export const referenceOf = ({
  account,
  transaction,
}: {
  readonly account: string
  readonly transaction: string
}): string | null => {
  const [, kind, named = ""] = /^([a-z_]+):(.*)$/s.exec(transaction) ?? []
  if (kind === "topup" || kind === "refund") return named.replace(`operator:${account}:`, "")
  return kind === "adjust" ? ownReference(account, named) : null
}
