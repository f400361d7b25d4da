import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { drawingProblem, storedDrawing } from '#kernel/signature.ts'
import { prepare } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { NotAccessible } from '#server/engine/refusals.ts'
import type { Context } from '#server/engine/types.ts'
import { sealDocumentEvent } from '../audit-chain/sealing.server.ts'
import { readBundleParts, withdrawnPartNames } from '../references/parts.server.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { carriedSignaturesRoute } from './carried.server.ts'
import { alreadySignedByName, resolveSignatory, type Signatory } from './hand.server.ts'

/** Signing of a revision while it is in force, once per account, never changed. */
const signatureBehaviour = (kinds: readonly DocumentKind[]) =>
  behaviour(signature, {
    lockedRelations: ['document'],
    beforeSave: async (c) => {
      const { values } = c
      if (c.before) throw problem.conflict('A signature can’t be changed. The next revision will be signed again.')
      const { name = '', method = null, visitor = false, strokes } = values
      if (c.work.hasPending(signature.table)) await c.work.flush()
      const [doc, drawing, hand, place] = await settleAll(
        lockSignable(c, kinds, values.document),
        readDrawing(method, strokes),
        resolveSignatory(c, { name, method, visitor }),
        nextPlace(c, values.document),
      )
      if (hand.user === null) await refuseSameName(c, doc.id, hand.name)
      return {
        ...hand,
        place,
        strokes: drawing,
        mine: isOwn(hand),
        again: false,
        seal: doc.seal ?? '',
        signedAt: c.now.toString(),
      }
    },
    afterSave: async (c) => {
      const { document: signed } = c.changes
      if (!signed) return
      for (const index of ONCE) c.work.uniqueMessages.set(index, () => signedBefore(c.changes))
      // Already locked, so this needs no query.
      await sealDocumentEvent(c, 'signed', signed, { added: c.written, row: await c.lock(document, signed) })
    },
  })

/** Locks the document; throws 409 if it can't be signed. */
async function lockSignable(c: Context, kinds: readonly DocumentKind[], id = 0) {
  const doc = await c.lock(document, id).catch((e: unknown) => {
    throw e instanceof NotAccessible ? problem.conflict('Only documents of your own company can be signed.') : e
  })
  if (doc.retired || doc.state === 'rejected' || doc.state === 'replaced')
    throw problem.conflict('This revision is no longer in force. Please sign the current one.')
  if (doc.state !== 'current') throw problem.conflict('This is not in force yet. You can sign it once it is.')
  if (doc.isTemplate) throw problem.conflict('Templates can’t be signed. Create your own document from it first.')
  if (!kinds.some((k) => k.shared && k.kind === doc.kind)) return doc
  // Signing a pack signs its parts.
  const gone = withdrawnPartNames(await readBundleParts(c, doc.id))
  if (gone)
    throw problem.conflict(
      `A part of this pack has been withdrawn: ${gone}. You can sign the pack once it is reissued.`,
    )
  return doc
}

const NEXT_PLACE = prepare(
  'SELECT 1 + coalesce(max(place), 0) FROM signature WHERE client_id = $1::int AND document_id = $2::bigint',
)

/** The signature's place under its revision. Sent behind the lock, so it counts the signatures that the lock waited for. */
async function nextPlace(c: Context, id = 0): Promise<number> {
  const [[place] = []] = await c.work.tx.arrays(NEXT_PLACE, [c.clientId, id])
  return Number(place)
}

/** The drawing as it is stored. Throws 422 for a blank one. */
async function readDrawing(method: string | null, strokes: unknown) {
  const wrong = method === 'finger' || strokes ? drawingProblem(strokes) : undefined
  if (wrong) throw problem.invalid([violation('strokes', wrong)])
  return storedDrawing(method, strokes)
}

const SIGNED_AS = prepare(
  `SELECT 1 FROM signature WHERE client_id = $1::int AND document_id = $2::bigint AND user_id IS NULL AND folded_name(name) = folded_name($3::text) LIMIT 1`,
)

/** A name alone signs a locked revision once; another person of that name adds their company. */
async function refuseSameName(c: Context, id: number, name: string): Promise<void> {
  const found = await c.work.tx.arrays(SIGNED_AS, [c.clientId, id, name])
  if (found.length) throw problem.invalid([violation('name', alreadySignedByName(name), 'duplicate')])
}

const isOwn = ({ user, signer }: Signatory) => user !== null && user === signer

/** Indexes that allow each account one own signature and one on its behalf per revision, even concurrently. */
const ONCE = ['signature_own', 'signature_behalf']

/** Message for the violated index. */
function signedBefore({ method, name }: ValuesOf<typeof signature>) {
  const told =
    method === 'on behalf'
      ? `This revision has already been signed for ${name}`
      : 'You have already signed this revision'
  return problem.invalid([violation('name', `${told}.`, 'duplicate')])
}

export const documentSigning = (kinds: readonly DocumentKind[]) =>
  feature({ pack: 'safety', behaviours: [signatureBehaviour(kinds)], routes: [carriedSignaturesRoute] })
