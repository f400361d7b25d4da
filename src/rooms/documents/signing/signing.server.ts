import { problem, violation } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { drawingProblem } from '#kernel/signature.ts'
import { textOf } from '#kernel/text.ts'
import { behaviour } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import { sealEvent } from '../chain/sealing.server.ts'
import { document, signature } from '../kinds/document.ts'

/** Signing: under the exact revision, once for each name, never changed. */
export const signing = behaviour(signature, {
  prepare: async (c) => {
    const { values, work, actor } = c
    if (c.before) throw problem.conflict('A signature stands. The next revision is signed anew.')
    const [doc] = await hold(work.tx, document, work.clientId, (next) => `t.id = ${next(values.document)}::bigint`)
    if (!doc) throw problem.conflict('Only documents of your own company can be signed.')
    if (doc.retired || !(doc.state === 'complete' || doc.state === 'current'))
      throw problem.conflict(
        doc.state === 'draft'
          ? 'This is still being written. It can be signed when it is complete.'
          : 'This revision is no longer in force. Please sign the current one.',
      )
    const drawing = values.method === 'finger' || values.strokes ? drawingProblem(values.strokes) : undefined
    const wrong = [
      ...(drawing ? [violation('strokes', drawing)] : []),
      ...(values.method === 'on behalf' && !textOf(values.byName).trim()
        ? [violation('byName', 'Please enter the name of the person who signs on behalf')]
        : []),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    const [earlier] = await work.tx.rows(
      'SELECT 1 FROM signature WHERE client_id = $1 AND document_id = $2 AND lower(name) = lower($3)',
      [work.clientId, doc.id, String(values.name).trim()],
    )
    if (earlier) throw problem.conflict(`${String(values.name)} has already signed this revision.`)
    work.update(document, doc, { signatures: Number(doc.signatures) + 1 }, 'sign')
    const said = { name: values.name, method: values.method, byName: values.byName, strokes: values.strokes }
    await sealEvent(c, 'signed', { ...doc }, { ...said, statement: values.statement, author: author(actor).username })
    return {
      seal: textOf(doc.seal),
      user: values.mine ? (actor.original ? null : actor.userId) : null,
      byName: values.method === 'on behalf' ? values.byName : null,
    }
  },
})
