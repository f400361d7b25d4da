import { create as disposition } from 'content-disposition'
import { z } from 'zod'
import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { countDefects, type FineAnswers, parseFineAnswers } from '#kernel/forms/fine.ts'
import { parseAnswers } from '#kernel/forms/read-answers.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { calculateScore } from '#kernel/forms/score.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { isSamePersonName, parseSignature } from '#kernel/signature.ts'
import { raiseAction } from '#modules/actions/raise.server.ts'
import { assertFormFilesAccessible } from '#modules/documents/lifecycle/own-work.server.ts'
import { settleNames } from '#modules/documents/named-employees/document-names.server.ts'
import { namePlacesInForm } from '#modules/documents/named-employees/name-places.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { resolveSignatory } from '#modules/documents/signing/signing.server.ts'
import { documentUploads } from '#modules/documents/types/upload-fields.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { findPictures, readPictures } from '#modules/portal/files/versions.server.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { sanitiseAnswerHtml } from '#server/parse-html.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { selectQuestionsByLink } from '../form-links/form-link.ts'
import {
  customForm,
  customFormAnswer,
  customFormEvidence,
  customFormVersion,
  FORM_RESULT_OPTIONS,
} from './custom-form.ts'
import { findFailedAnswers } from './failed-answers.ts'
import { parseCustomForm } from './form-rules.ts'
import { formAnswerText, formScoreText, linkRespondentText, toCompletedFormPdfInput } from './pdf-body.ts'

/** Event: a form was completed. Identifies the user by ID, because usernames can change. */
export const formCompletedEvent = defineEvent({
  kind: 'custom-form.filled-in',
  version: 2,
  payload: z.object({ answer: z.int(), by: z.int().nullable() }),
  upgrade: { 1: (older) => ({ ...(older as { answer: number }), by: null }) },
})

const [, answerEvidence] = customFormEvidence
const numbers = defineSequence({ name: 'custom form answers', prefix: 'FA-', per: 'client', gapless: true, digits: 4 })

/**
 * Rules for completed forms. The answers are validated against their form version, then scored, numbered and sealed in
 * one transaction.
 */
export const customFormAnswerBehaviour = behaviour(customFormAnswer, {
  beforeSave: async (c) => {
    const { form: formId, version: versionId, answers } = c.values
    // Missing fields are reported by the validation in the resource declaration.
    if (typeof formId !== 'number' || typeof versionId !== 'number' || (answers ?? null) === null) return undefined
    const form = await c.get(customForm, formId)
    if (form?.clientId !== c.clientId)
      throw problem.invalid([violation('form', 'This form is ready-made: please copy it to your company first')])
    if (form.retired)
      throw problem.conflict(
        'This form has been deleted. Ask an author of safety documents to restore it, then send your answers again.',
      )
    const version = await c.get(customFormVersion, versionId)
    if (version?.form !== form.id) throw problem.invalid([violation('version', 'This version belongs to another form')])
    const schema = version.schema as FormSchema
    const { kept: said, wrong } = parseAnswers(
      c.values.byLink ? selectQuestionsByLink(schema) : schema,
      answers,
      sanitiseAnswerHtml,
    )
    if (wrong.length) throw problem.invalid(wrong.map((v) => under('answers', v)))
    const published = Temporal.Instant.from(version.createdAt)
    const together = parseFineAnswers(schema, said, c.values.together, { published, now: c.now })
    if (together.wrong.length) throw problem.invalid(together.wrong.map((v) => under('together', v)))
    const kept = {
      ...said,
      ...(await settleAnswerNames(c, schema, said)),
      ...(await signaturesIn(c, schema, said)),
    }
    await assertFormFilesAccessible(c, schema, kept)
    const { points, outOf, percent, passed } = calculateScore(schema, kept)
    return {
      answers: kept,
      together: together.kept,
      title: version.title,
      digest: digestSubject({
        form: version.digest,
        answers: kept,
        ...(together.kept.length ? { together: together.kept } : {}),
      }),
      subject: subjectOf(schema, kept),
      defects: countDefects(schema, kept),
      ...(outOf ? { points, outOf, percent } : {}),
      ...(passed === null ? {} : { result: passed ? ('passed' as const) : ('failed' as const) }),
      number: (await issueSequenceNumber(c, numbers)).text,
      createdAt: c.now.toString(),
    }
  },
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    await sealEvent(c, answerEvidence, { event: 'form filled in', id })
    await c.emit(formCompletedEvent, { answer: id, by: c.actor.userId ?? null })
  },
  actions: {
    raiseAction: async (c) => {
      const { part, ...input } = c.input
      const { id, version: versionId, number, answers } = c.row
      const version = part ? await c.get(customFormVersion, versionId) : undefined
      const form = version && parseCustomForm(version.title, version.schema).form
      const failed = form ? findFailedAnswers(form, toPlainObject(answers)) : []
      if (part && !failed.some(({ at }) => at === part))
        throw problem.invalid([violation('part', 'The completed form has no defect or failed answer at this place')])
      await raiseAction(c, input, { source: iriOf(customFormAnswer, id), sourceTitle: number, sourcePart: part ?? '' })
      return {}
    },
  },
})

/** Returns the digest with which these answers by link would be stored; undefined if they are invalid. */
export function digestLinkAnswers(
  { schema, digest: form }: Pick<RowOf<typeof customFormVersion>, 'schema' | 'digest'>,
  given: unknown,
): string | undefined {
  const { kept: answers, wrong } = parseAnswers(selectQuestionsByLink(schema as FormSchema), given, sanitiseAnswerHtml)
  return wrong.length ? undefined : digestSubject({ form, answers })
}

type Save = Context & BeforeSaveInput<typeof customFormAnswer>

/** Returns the answer that names the form's subject, as text; an empty string if the form does not ask. */
function subjectOf(schema: FormSchema, answers: Values): string {
  const field = formFieldsIn(schema).find((f) => f.subject)
  return field ? formAnswerText(field, answers[field.name]).trim() : ''
}

const under = (place: string, wrong: Violation): Violation => ({
  ...wrong,
  propertyPath: /^(?!\[)./.test(wrong.propertyPath)
    ? `${place}.${wrong.propertyPath}`
    : `${place}${wrong.propertyPath}`,
})

/** Returns the names of employees in the answers as they are stored. Throws 422 for employees who can't be chosen. */
async function settleAnswerNames(c: Save, schema: FormSchema, answers: Values): Promise<Values> {
  try {
    return await settleNames(c, namePlacesInForm(schema), { next: answers, before: undefined })
  } catch (e) {
    throw e instanceof Problem && e.violations ? problem.invalid(e.violations.map((v) => under('answers', v))) : e
  }
}

/**
 * Returns the signatures in the answers, with the signing rules applied. The signatory is the person who completes the
 * form or a person without an account. By link, a signature is drawn and is never that of an account.
 */
async function signaturesIn(c: Save, schema: FormSchema, answers: Values): Promise<Values> {
  const signed: Record<string, unknown> = {}
  for (const { name: at, kind } of formFieldsIn(schema)) {
    const given = kind === 'signature' ? parseSignature(answers[at]) : undefined
    if (!given) continue
    if (c.values.byLink) {
      if (given.method !== 'finger')
        throw problem.invalid([
          violation(`answers.${at}.strokes`, 'Please sign in the box: by link, a signature is drawn'),
        ])
      signed[at] = given
      continue
    }
    const own = isSamePersonName(given.name, c.actor.name)
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

/** Returns a completed form with its form version. Permission to read the completed form includes its version. */
async function readAnswerWithForm({ engine, me, params }: Pick<RouteContext, 'engine' | 'me' | 'params'>) {
  const id = parseId(params.id)
  if (id === undefined) throw problem.notFound()
  const record = await engine.one(customFormAnswer, me, id)
  const versionId = idFromAnyIri(record.version)
  const version = await engine.readIn(me.clientId, 'read the form version used for a completed form', async (c) =>
    versionId === undefined ? undefined : c.get(customFormVersion, versionId),
  )
  if (!version) throw problem.notFound()
  return { record, version, schema: parseCustomForm(version.title, version.schema).form }
}

export const completedFormVersionRoute: Route = {
  method: 'GET',
  path: `${customFormAnswer.url}/{id}/form`,
  title: 'Get the form version used for a completed form',
  allow: DOCUMENT_READER_ROLES,
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

/**
 * Route `GET {answer}/pdf` that returns a PDF to open in the browser. The PDF is not stored, because a completed form
 * never changes and the PDF can be created again.
 */
export const completedFormPdfRoute: Route = {
  method: 'GET',
  path: `${customFormAnswer.url}/{id}/pdf`,
  title: 'Get a completed form as a PDF file',
  allow: DOCUMENT_READER_ROLES,
  file: ['application/pdf'],
  handle: async (c) => {
    const { engine, me } = c
    const { record, version, schema } = await readAnswerWithForm(c)
    const answers = toPlainObject(record.answers)
    const files = documentUploads({ schema }, answers).flatMap(({ '@id': iri, label }) => {
      const id = idFromAnyIri(iri)
      return id === undefined ? [] : [{ id, label }]
    })
    const letterhead = await readLetterhead(engine, me.clientId)
    const [pictures, logo, names] = await Promise.all([
      findPictures(engine, me.clientId, files).then((found) => readPictures(engine, found)),
      readLogo(engine, letterhead),
      readUserNames(engine, me.clientId, [record.author]),
    ])
    const by = linkRespondentText(record) || (names.get(record.author) ?? record.author)
    const pdf = await renderControlledDocument({
      template: new URL('./custom-form-answer.typ', import.meta.url),
      client: me.clientId,
      furniture: {
        number: record.number,
        revision: version.number,
        state: 'current',
        kindName: 'Completed form',
        title: record.title,
        client: { ...letterhead.client, logo },
        brand: letterhead.brand,
        author: by,
        createdOn: record.createdAt,
        completedOn: record.createdAt,
        seal: record.digest,
        signatures: [],
        history: [],
      },
      body: {
        ...toCompletedFormPdfInput(
          schema,
          answers,
          pictures.map((p) => ({ ...p, alt: p.caption })),
          record.createdAt,
          record.together as readonly FineAnswers[],
        ),
        score: formScoreText(record),
        result: FORM_RESULT_OPTIONS.find((r) => r.value === record.result)?.label ?? '',
        pass: schema.pass === undefined ? '' : `${schema.pass}%`,
      },
    })
    return new RouteResponse(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(`${record.number} ${record.title}.pdf`, { type: 'inline' }),
    })
  },
}
