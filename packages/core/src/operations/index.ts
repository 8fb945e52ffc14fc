export { DoneAcknowledgement, QueuedAcknowledgement } from "./answers.js"
export {
  type Answer,
  type Operation,
  type PathNames,
  pathNames,
  type Rate,
  type Request,
  type WireAnswer,
  type WireBody,
  type WireQuery,
} from "./Operation.js"
export { answerSchemaOf, type Reader, readerOf, readRequest } from "./reading.js"
export {
  type JsonOperationId,
  type OperationGroup,
  type OperationId,
  type OperationName,
  type OperationOf,
  operations,
} from "./table.js"
