export type { Asked, EpisodeChoice, EpisodesWanted, Layout, NewNames } from "./Asked.js"
export { BatchClosed } from "./BatchClosed.js"
export type { BatchOptions, BatchSource, SourceOptions } from "./BatchOptions.js"
export { BatchRefused } from "./BatchRefused.js"
export type { BatchEvent, OnEvent } from "./events.js"
export type { Asking } from "./library/askEntries.js"
export type { EditableTranscript, EditMade } from "./library/editEntry.js"
export type { StoredRevision } from "./library/editsFile.js"
export type { ExportWanted } from "./library/exportEntry.js"
export type { Head } from "./library/Head.js"
export type { LibraryOptions } from "./library/heads.js"
export { type Keeper, type KeeperOptions, makeKeeper } from "./library/Keeper.js"
export type { Library, LibraryQuery, Readable, Retried } from "./library/Library.js"
export type { DeskRecording, LibraryDesk } from "./library/LibraryDesk.js"
export { LibraryRefused } from "./library/LibraryRefused.js"
export { type DeskParts, makeDesk } from "./library/makeDesk.js"
export { openLibrary } from "./library/openLibrary.js"
export {
  openServerLibrary,
  type ServerLibrary,
  type ServerLibraryOptions,
} from "./library/openServerLibrary.js"
export { retryOf } from "./library/retry.js"
export { type ListedRevision, listedRevisions, newestInEffect } from "./library/revisions.js"
export type { Rewritten } from "./library/rewriteResults.js"
export type { AskServer, ServerRefusal } from "./library/ServerRefusal.js"
export type { PatternQuery } from "./library/searchPattern.js"
export { makeWaveforms } from "./library/waveforms.js"
export { type Explain, explainPlainly, type Others, type Problem, presentText, withStop } from "./Problem.js"
export {
  type BatchNeeds,
  type BatchSettings,
  makeBatch,
  type PromisedBatchOptions,
  type PromisedLibrary,
} from "./promise.js"
export { type FeedText, feedTextOf } from "./publish/feedTags.js"
export {
  type FeedAtServer,
  type Publication,
  publicPlaceOf,
  publishAll,
  publishIntoFeed,
  tagLinesOf,
  takeBackAll,
} from "./publish/publishAtServer.js"
export type { FinishedJob, Shelf } from "./publish/publishedJobs.js"
export { type NamedFeed, publishSite, type SiteRequest, type TaggedFeed } from "./publish/publishSite.js"
export { SiteRefused } from "./publish/SiteRefused.js"
export { writeSite } from "./publish/writeSite.js"
export { isBinary } from "./reading/isBinary.js"
export { readAsked } from "./reading/readAsked.js"
export { readFeedList } from "./reading/readFeedList.js"
export { readLanguage } from "./reading/readLanguage.js"
export { readLayout } from "./reading/readLayout.js"
export { readList } from "./reading/readList.js"
export { readSources, type WrittenSources } from "./reading/readSources.js"
export { readNames } from "./reading/speakerNames.js"
export type { NameOption, OptionName, Written } from "./reading/Written.js"
export type { Destination } from "./results/destination.js"
export { misnamed } from "./results/fileFormat.js"
export { type Template, templateOf } from "./results/naming.js"
export { isFolder } from "./results/pathKind.js"
export { placesBeside } from "./results/placesBeside.js"
export { printable, printableJson } from "./results/printable.js"
export {
  formatsFor,
  readDestination,
  type WrittenDestination,
} from "./results/readDestination.js"
export {
  type Counts,
  countOf,
  type Done,
  type Failed,
  type Held,
  isTaken,
  jsonOf,
  type Planned,
  type Result,
  type Skipped,
  speedOf,
  type UnderWay,
  underWayText,
} from "./results/results.js"
export { isSameFile } from "./results/sameFile.js"
export { FileNotWritten, systemReasonOf, writeFile as writeWholeFile } from "./results/writeFile.js"
export type { BatchObserver, Notice, Position } from "./run/BatchObserver.js"
export { type BatchParts, type BatchRequest, prepareBatch } from "./run/prepareBatch.js"
export type { RunSettings } from "./run/Run.js"
export type { OnResult, ResultPlace } from "./run/runAll.js"
export type { AskedSource, Pinned } from "./run/tasks.js"
export type { FeedWatch } from "./run/watchFeeds.js"
export {
  type BatchSummary,
  retryEntry,
  runBatch,
  runBatchOnServer,
} from "./runBatch.js"
export { SourceFailed } from "./SourceFailed.js"
export { fits } from "./sources/fits.js"
export { isAddress, isOpml, isStandardInput, STANDARD_INPUT } from "./sources/named.js"
export { nearbyFile } from "./sources/nearbyFile.js"
export { lastRunIn } from "./state/lastRun.js"
export type { Target } from "./state/made.js"
export { readRecord, writeRecord } from "./state/stateFiles.js"
export { keepUploadName, uploadName } from "./state/uploadNames.js"
export { type LocalWorkplaceOptions, makeLocalWorkplace } from "./work/localWorkplace.js"
export type { SourceNotice, SourceObserver, SourcePhase } from "./work/SourceObserver.js"
export { makeServerWorkplace, type ServerWorkplaceOptions } from "./work/serverWorkplace.js"
export type { Transcriber, Transcribers } from "./work/Transcribers.js"
export type { Facts, Found, Identity, Made, Show, Workplace } from "./work/Workplace.js"
