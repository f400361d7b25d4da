/** Templates of a kind: for the area that declares the kind. */
/** The face of an area with kinds of its own. */

export { addTemplates, templateWords } from './lifecycle/templates.server.ts'
/** Files that are named in what somebody fills in: theirs to name. */
export { assertFilesOf } from './lifecycle/words.server.ts'
/** What a company hands over of its own, and how that is written down. */
export { ownPack } from './packs/own-pack.server.ts'
export { writeSent } from './sending/send.server.ts'
/** Who signs what, and for whom. */
export { type Claim, type Hand, handOf, signedByName } from './signing/hand.server.ts'
export type { JudgedRows, KeptRows, ModuleWithTypes } from './types/kinds.server.ts'
