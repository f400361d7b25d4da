import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { readAnswers } from '#kernel/forms/read-answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { calculateScore } from '#kernel/forms/score.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { isSameName, readSignature } from '#kernel/signature.ts'
import { assertFormFilesAccessible } from '#modules/documents/lifecycle/words.server.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { resolveSignatory } from '#modules/documents/signing/hand.server.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { cleanAnswerHtml } from '#server/parse-html.ts'
import { customForm, customFormAnswer, customFormVersion } from './custom-form.ts'
import { customFormEvidence } from './evidence.ts'
import { formCompletedEvent } from './filled-in.ts'
import { parseCustomForm } from './form-rules.ts'

const [, answerEvidence] = customFormEvidence
const numbers = defineSequence({ name: 'custom form answers', prefix: 'FA-', per: 'client', gapless: true, digits: 4 })

/** Completes a form: validates against the version used, scores, numbers and seals in one transaction. */
export const customFormAnswerBehaviour = behaviour(customFormAnswer, {
  beforeSave: async (c) => {
    const { form: formId, version: versionId, answers } = c.values
    // Missing fields are reported by the resource declaration.
    if (typeof formId !== 'number' || typeof versionId !== 'number' || (answers ?? null) === null) return undefined
    const form = await c.get(customForm, formId)
    if (form?.clientId !== c.clientId)
      throw problem.invalid([violation('form', 'This form is ready-made: please copy it to your company first')])
    if (form.retired) throw problem.conflict('This form is deleted. Restore it, then send your answers again.')
    const version = await c.get(customFormVersion, versionId)
    if (version?.form !== form.id) throw problem.invalid([violation('version', 'This is a version of another form')])
    const schema = version.schema as FormSchema
    const { kept: said, wrong } = readAnswers(schema, answers, cleanAnswerHtml)
    if (wrong.length) throw problem.invalid(wrong.map((v) => under('answers', v)))
    const kept = { ...said, ...(await signaturesIn(c, schema, said)) }
    await assertFormFilesAccessible(c, schema, kept)
    const { points, outOf, percent, passed } = calculateScore(schema, kept)
    return {
      answers: kept,
      title: version.title,
      digest: digestOfSubject({ form: version.digest, answers: kept }),
      ...(outOf ? { points, outOf, percent } : {}),
      ...(passed === null ? {} : { result: passed ? ('passed' as const) : ('failed' as const) }),
      number: (await nextNumber(c, numbers)).text,
      createdAt: c.now.toString(),
    }
  },
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    await sealEvent(c, answerEvidence, { event: 'form filled in', id })
    await c.emit(formCompletedEvent, { answer: id, by: c.actor.userId ?? null })
  },
})

const under = (place: string, wrong: Violation): Violation => ({
  ...wrong,
  propertyPath: wrong.propertyPath ? `${place}.${wrong.propertyPath}` : place,
})

/** Signatures of an answer: by the person who completes the form, or by somebody without an account. */
async function signaturesIn(c: Context, schema: FormSchema, answers: Values): Promise<Values> {
  const signed: Record<string, unknown> = {}
  for (const { name: at, kind } of fieldsIn(schema)) {
    const given = kind === 'signature' ? readSignature(answers[at]) : undefined
    if (!given) continue
    const own = isSameName(given.name, c.actor.name)
    const claim = { name: own ? '' : given.name, method: given.method, visitor: !own }
    const { name } = await resolveSignatory(c, claim).catch((e: unknown) => {
      throw e instanceof Problem && e.violations
        ? problem.invalid(e.violations.map((v) => under(`answers.${at}`, v)))
        : e
    })
    signed[at] = { ...given, name }
  }
  return signed
}

/** An answer as its reader may see it, with its version of the form: permission to read one covers both. */
export async function readAnswerWithForm({ engine, me, params }: Pick<RouteContext, 'engine' | 'me' | 'params'>) {
  const id = readId(params.id)
  if (id === undefined) throw problem.notFound()
  const record = await engine.one(customFormAnswer, me, id)
  const versionId = idAtEnd(record.version)
  const version = await engine.readIn(me.clientId, 'the form of an answer', async (c) =>
    versionId === undefined ? undefined : c.get(customFormVersion, versionId),
  )
  if (!version) throw problem.notFound()
  return { record, version, schema: parseCustomForm(version.title, version.schema).form }
}

export const answerFormRoute: Route = {
  method: 'GET',
  path: `${customFormAnswer.url}/{id}/form`,
  title: 'Form version of a completed form',
  allow: DOCUMENT_READERS,
  handle: async (c) => {
    const { version, schema } = await readAnswerWithForm(c)
    return {
      '@type': 'FormOfAnswer',
      version: iriOf(customFormVersion, version.id),
      number: version.number,
      title: version.title,
      digest: version.digest,
      schema,
    }
  },
}
