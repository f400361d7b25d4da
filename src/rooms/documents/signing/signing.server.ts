import { problem, violation } from '#kernel/errors.ts'
import { drawingProblem } from '#kernel/signature.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { sealOf } from '../chain/sealing.server.ts'
import { document, signature } from '../kinds/document.ts'
import { type Hand, handOf } from './hand.server.ts'

/** Signing: under the exact revision while it is in force, once for each account, never changed. */
export const signing = behaviour(signature, {
  prepare: async (c) => {
    const { values } = c
    if (c.before) throw problem.conflict('A signature stands. The next revision is signed anew.')
    const { name = '', method = null, visitor = false, strokes } = values
    const doc = await lockSignable(c, values.document)
    const drawing = method === 'finger' || strokes ? drawingProblem(strokes) : undefined
    if (drawing) throw problem.invalid([violation('strokes', drawing)])
    const hand = await handOf(c, { name, method, visitor })
    await refuseAgain(c, doc.id, hand)
    await c.set(document, doc, { signatures: doc.signatures + 1 }, 'sign')
    return { ...hand, mine: isOwn(hand), seal: doc.seal ?? '', signedAt: c.now.toString() }
  },
  saved: async (c) => {
    const { id, document: signed } = await c.written.saved()
    // It is held since it was locked: this asks the database nothing.
    if (signed !== null) await sealOf(c, 'signed', signed, { added: id, row: await c.lock(document, signed) })
  },
})

/** The document, kept from others; throws 409 for one that can't be signed. */
async function lockSignable(c: Context, id: number | undefined) {
  const [doc] = id === undefined ? [] : await c.lockAll(document, { id })
  if (!doc) throw problem.conflict('Only documents of your own company can be signed.')
  if (doc.retired || doc.state === 'rejected' || doc.state === 'replaced')
    throw problem.conflict('This revision is no longer in force. Please sign the current one.')
  if (doc.state !== 'current') throw problem.conflict('This is not in force yet. It can be signed when it is approved.')
  return doc
}

const isOwn = ({ user, signer }: Hand) => user !== null && user === signer

/** Each account signs a revision once for itself, and is signed for once. The document is locked, so that nobody comes between. */
async function refuseAgain(c: Context, documentId: number, hand: Hand): Promise<void> {
  const { user, name } = hand
  if (user === null) return
  const which = isOwn(hand) ? { mine: true } : { method: 'on behalf' as const }
  if (!(await c.exists(signature, { document: documentId, user, ...which }))) return
  const told = isOwn(hand) ? 'You have already signed this revision' : `This revision is signed for ${name} already`
  throw problem.invalid([violation('name', `${told}.`, 'duplicate')])
}
