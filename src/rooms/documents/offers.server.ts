/** Templates of a kind: for the area that declares the kind. */
/** The face of an area with kinds of its own. */
export type { JudgedRows, KeptRows, RoomWithKinds } from './kinds/kinds.server.ts'
export { addTemplates, templateWords } from './life/templates.server.ts'
/** Files that are named in what somebody fills in: theirs to name. */
export { assertFilesOf } from './life/words.server.ts'
/** What a company hands over of its own, and how that is written down. */
export { ownPack } from './packs/own-pack.server.ts'
export { writeSent } from './sending/send.server.ts'
/** Who signs what, and for whom. */
export { type Claim, type Hand, handOf, signedByName } from './signing/hand.server.ts'
