/** Breaks of the store of jobs. */
import { historyCases, jobStoreCases } from "@earmark/testkit/contracts"
import { JobStore } from "../../src/index.js"
import { breaksOf, breaksOfTables } from "./breaking.js"

export const breaking = breaksOf(JobStore, jobStoreCases)
export const breakingTables = breaksOfTables([...jobStoreCases, ...historyCases])
