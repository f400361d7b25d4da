import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { drawingProblem } from '#kernel/signature.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { sealOf } from '../chain/sealing.server.ts'
import { document, signature } from '../kinds/document.ts'

/** Signing: under the exact revision, once for each name, never changed. */
export const signing = behaviour(signature, {
  prepare: async (c) => {
    const { values, actor } = c
    if (c.before) throw problem.conflict('A signature stands. The next revision is signed anew.')
    const doc = await lockSignable(c, values.document)
    const wrong = signatureProblems(values)
    if (wrong.length) throw problem.invalid(wrong)
    const { name = '', method, byName } = values
    if (actor.original && (values.mine || sameName(name, actor.name))) throw problem.forbidden(NOT_THEIR_NAME)
    if (await hasSigned(c, doc.id, name))
      throw problem.invalid([violation('name', `${name} has already signed this revision.`, 'duplicate')])
    await c.set(document, doc, { signatures: doc.signatures + 1 }, 'sign')
    return {
      seal: doc.seal ?? '',
      signedAt: c.now.toString(),
      user: values.mine && !actor.original ? actor.userId : null,
      byName: method === 'on behalf' ? (byName ?? null) : null,
    }
  },
  saved: async (c) => {
    const { id, document: signed } = await c.written.saved()
    if (signed !== null) await sealOf(c, 'signed', signed, { added: id })
  },
})

const NOT_THEIR_NAME = 'Nobody signs in the name of a person whom they only work as.'
const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** The document, kept from others; throws 409 for one that can't be signed. */
async function lockSignable(c: Context, id: number | undefined) {
  const [doc] = id === undefined ? [] : await c.lockAll(document, { id })
  if (!doc) throw problem.conflict('Only documents of your own company can be signed.')
  if (doc.state === 'draft')
    throw problem.conflict('This is still being written. It can be signed when it is complete.')
  if (doc.retired || !(doc.state === 'complete' || doc.state === 'current'))
    throw problem.conflict('This revision is no longer in force. Please sign the current one.')
  return doc
}

function signatureProblems({ method, strokes, byName }: Readonly<ValuesOf<typeof signature>>) {
  const drawing = method === 'finger' || strokes ? drawingProblem(strokes) : undefined
  return [
    ...(drawing ? [violation('strokes', drawing)] : []),
    ...(method === 'on behalf' && !byName?.trim()
      ? [violation('byName', 'Please enter the name of the person who signs on behalf')]
      : []),
  ]
}

async function hasSigned(c: Context, documentId: number, name: string): Promise<boolean> {
  const found = await c.work.tx.rows(
    'SELECT 1 FROM signature WHERE client_id = $1 AND document_id = $2 AND lower(name) = lower($3)',
    [c.clientId, documentId, name.trim()],
  )
  return found.length > 0
}
