/** What the groups of administration are called and do. The rest of them is loaded when one is named. */
export const groups = {
  accounts: "Make and look at accounts, and the apps that they let in.",
  keys: "Make, list and revoke API keys.",
  credits: "Give minutes, and look at ledgers.",
  jobs: "Look after jobs that need an operator.",
  migrate: "Bring the store up to date with this version of Earmark.",
} as const
