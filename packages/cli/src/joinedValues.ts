import { type Found, optionsOf } from "./help.js"

/** `-j4` and `-j=4` as `-j 4`, for the short options of a command that take a value. */
export const separateValues = (found: Found, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = optionsOf(found)
    .filter(({ takesValue }) => takesValue)
    .flatMap((option) => option.names)
  const end = args.indexOf("--")
  return args.flatMap((arg, at) => {
    const name = arg.slice(0, 2)
    const isOption = arg.length > 2 && !name.startsWith("--") && names.includes(name)
    const isBehind = end >= 0 && at > end
    if (!isOption || isBehind || names.includes(args[at - 1] ?? "")) return [arg]
    return [name, arg.slice(arg[2] === "=" ? 3 : 2)]
  })
}
