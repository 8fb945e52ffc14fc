/** Commands of the operator of a server, beside its store. */
import { argument, choice, command, flag, text, whole } from "./Grammar.js"
import { account, anyAccount, json, jsonAnswer, listing, ofAccount, span, where } from "./shared.js"

const id = argument("account", "one", "The id of the account: acct_...")

const limitOf = (sentence: string) =>
  text(`${sentence}; none leaves it to the settings of the server`, { value: "N|none" })

const issuer = text("Where they sign in: the issuer, as its tokens have it", { required: true, value: "URL" })

const subject = text("Who they are there: the subject (sub) of their tokens", { required: true })

export const accounts = command({
  text: "Create and show accounts, and the apps that have access to them",
  examples: ["earmark accounts create --email ann@example.org", "earmark accounts list --json"],
  commands: {
    create: command({
      text: "Create an account, with the free minutes of every new one",
      takes: {
        name: text("The name of the account [its email address]", { value: "NAME" }),
        email: text("The email address of its owner", { value: "ADDRESS" }),
        json,
      },
      examples: [
        "earmark accounts create --email ann@example.org",
        'earmark accounts create --name "Ann Marsh" --json',
      ],
    }),
    list: command({
      text: "List the accounts, newest first",
      takes: { ...listing },
      examples: ["earmark accounts list", "earmark accounts list --limit 100 --json"],
    }),
    show: command({
      text: "Show an account and its credits",
      takes: { id, json },
      examples: ['earmark accounts show "$ACCOUNT"'],
    }),
    rename: command({
      text: "Give an account another name",
      takes: { id, name: text("The new name", { required: true, value: "NAME" }), json },
      examples: ['earmark accounts rename "$ACCOUNT" --name "Ann Marsh"'],
    }),
    limits: command({
      text: "Show the limits of an account's plan, and set those that are named",
      takes: {
        id,
        mediaMinutes: limitOf("The longest media, in minutes"),
        uploadBytes: limitOf("The largest upload, in bytes"),
        waitingJobs: limitOf("The most jobs that wait at a time"),
        json,
      },
      examples: [
        'earmark accounts limits "$ACCOUNT"',
        'earmark accounts limits "$ACCOUNT" --media-minutes 120 --waiting-jobs none',
      ],
    }),
    grants: command({
      text: "List the apps that have access to an account, newest first, or revoke one",
      takes: { id, revoke: text("Revoke this one, by the id in the list", { value: "ID" }), ...listing },
      examples: [
        'earmark accounts grants "$ACCOUNT"',
        'earmark accounts grants "$ACCOUNT" --revoke "$GRANT"',
      ],
    }),
    link: command({
      text: "Give an account to somebody who signs in elsewhere",
      takes: { id, issuer, subject, json },
      examples: ['earmark accounts link "$ACCOUNT" --issuer https://id.example.org --subject 42'],
    }),
    unlink: command({
      text: "Take the account from somebody who signs in elsewhere",
      takes: { issuer, subject, json },
      examples: ["earmark accounts unlink --issuer https://id.example.org --subject 42"],
    }),
  },
})

const key = argument("key", "one", "The id of the key: key_...")

export const keys = command({
  text: "Create, list, edit and revoke API keys",
  examples: ['earmark keys create --account "$ACCOUNT" --name backend'],
  commands: {
    create: command({
      text: "Create an API key. Its value is shown once",
      takes: {
        ...ofAccount,
        name: text("What the key is for", { value: "NAME" }),
        scopes: text(
          "What the key may do, with commas between: transcriptions:read, transcriptions:write, webhooks, billing:read, billing:write, keys [everything]",
        ),
        expires: text("When it expires: a day or an RFC 3339 time", { value: "TIME" }),
        monthlyCredits: whole(
          "The most credits its jobs may use in a calendar month (UTC) [no limit]. The key cannot have the scope keys",
        ),
        test: flag(
          "Create a test key: scripted text, and nothing is billed. Only beside the store, with --account",
        ),
        json,
      },
      examples: [
        'earmark keys create --account "$ACCOUNT" --name backend',
        'earmark keys create --account "$ACCOUNT" --scopes webhooks --json',
        "earmark keys create --name backend --monthly-credits 500",
      ],
    }),
    list: command({
      text: "List the keys of an account, newest first, revoked ones too",
      takes: { ...ofAccount, ...listing },
      examples: ['earmark keys list --account "$ACCOUNT"'],
    }),
    edit: command({
      text: "Change the name or the monthly limit of a key. What is not given stays as it is",
      takes: {
        id: key,
        ...ofAccount,
        name: text("What the key is for; none takes the name away", { value: "NAME|none" }),
        monthlyCredits: text(
          "The most credits its jobs may use in a calendar month (UTC); none takes the limit away",
          { value: "N|none" },
        ),
        json,
      },
      examples: [
        'earmark keys edit "$KEY_ID" --monthly-credits 500',
        'earmark keys edit "$KEY_ID" --monthly-credits none --account "$ACCOUNT"',
      ],
    }),
    revoke: command({
      text: "Revoke a key: within seconds no process accepts it",
      takes: {
        id: key,
        ...ofAccount,
        yes: flag("Revoke the key that this command uses without being asked", { short: "y" }),
        json,
      },
      examples: ['earmark keys revoke "$KEY_ID" --account "$ACCOUNT"'],
    }),
  },
})

const purchase = argument("purchase", "one", "The id of the purchase: pur_...")

export const credits = command({
  text: "Show balances, ledgers and purchases, and grant minutes",
  examples: ['earmark credits grant --account "$ACCOUNT" --minutes 100', "earmark credits verify"],
  commands: {
    grant: command({
      text: "Give minutes to an account, or take them back",
      takes: {
        account,
        minutes: whole("How many to add; a negative number takes them away", { required: true }),
        purchase: flag("Count as a one-time purchase, and unlock what one unlocks"),
        reference: text("A grant with the same reference counts once for the account"),
        json,
      },
      examples: [
        'earmark credits grant --account "$ACCOUNT" --minutes 100 --purchase',
        'earmark credits grant --account "$ACCOUNT" --minutes=-5 --reference ticket-42',
      ],
    }),
    show: command({
      text: "Show the credits of an account",
      takes: { ...ofAccount, json },
      examples: ["earmark credits show", 'earmark credits show --account "$ACCOUNT"'],
    }),
    entries: command({
      text: "List the ledger of an account, newest first; all lines sum to its balance",
      takes: {
        account: anyAccount,
        kind: choice(
          ["signup", "purchase", "reload", "settlement", "refund", "adjustment"],
          "Only lines of this kind",
        ),
        ...span,
        ...where,
        ...listing,
      },
      examples: [
        'earmark credits entries --account "$ACCOUNT" --json',
        "earmark credits entries --kind settlement --from 2026-11-01",
      ],
    }),
    purchases: command({
      text: "List purchases, newest first, with the state of their payment",
      takes: {
        account: anyAccount,
        open: flag(
          "Only those that are not paid yet, nor canceled, of every account or of the one that is named, for operators beside the store",
        ),
        ...where,
        ...listing,
      },
      examples: ["earmark credits purchases", "earmark credits purchases --open"],
    }),
    confirm: command({
      text: "Confirm that a purchase was paid, without a payment provider: its minutes are added, once",
      takes: { id: purchase, json },
      examples: ['earmark credits confirm "$PURCHASE"'],
    }),
    dismiss: command({
      text: "Cancel a purchase that will not be paid, without a payment provider: it cannot be confirmed any more",
      takes: { id: purchase, json },
      examples: ['earmark credits dismiss "$PURCHASE"'],
    }),
    verify: command({
      text: "Recompute every balance and hold from the ledger; exit code 1 when one differs",
      takes: { json },
      examples: ["earmark credits verify", "earmark credits verify --json"],
    }),
  },
})

export const backup = command({
  text: "Write the store to a file: accounts, transcriptions, credits and webhooks",
  takes: {
    file: argument("file", "one", "The file to write, which must not exist yet, or - for standard output", {
      completes: "files",
    }),
    json: jsonAnswer,
  },
  examples: [
    "earmark backup earmark.backup",
    'EARMARK_DATABASE_URL="$URL" earmark backup "$(date +%F).backup"',
    "earmark backup - | ssh elsewhere 'cat > earmark.backup'",
  ],
})

export const restore = command({
  text: "Restore a backup into an empty store",
  takes: {
    file: argument("file", "one", "What earmark backup wrote", { completes: "files" }),
    json: jsonAnswer,
  },
  examples: ["earmark restore earmark.backup", "EARMARK_DATA_DIR=elsewhere earmark restore earmark.backup"],
})

export const migrate = command({
  text: "Bring the store up to date with this version of Earmark",
  takes: {
    newSecretsKey: flag(
      "Replace the secrets key of the store with that of the settings. Stop every process first",
    ),
    json,
  },
  examples: [
    "earmark migrate",
    'EARMARK_DATABASE_URL="$URL" earmark migrate --json',
    "earmark migrate --new-secrets-key",
  ],
})

export const browser = command({
  text: "Open the console of the server of this machine in a browser, signed in as its operator. Where no server answers, it shows what was transcribed on this machine, until Ctrl-C. The link works once, for 5 minutes",
  brief: "Open the console: that of the server of this machine, or its transcripts",
  takes: {
    local: flag("Show what was transcribed on this machine, also where a server answers"),
    account: text("The account to sign in to: acct_... [the first one]", { value: "ID" }),
    print: flag("Only print the link; open no browser"),
    json,
  },
  examples: ["earmark console", "earmark console --local", "earmark console --print"],
})
