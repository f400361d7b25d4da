import { problem, violation } from '#kernel/errors.ts'
import { link, richText, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { countLeadsWithinLimit, parseLeadListUrl } from '../mail/batch.server.ts'
import { BULK_MAIL_ROLES } from '../mail/template.ts'
import { mergeTextError } from '../merge-fields/merge.ts'
import { senderMailMergeValues } from '../merge-fields/values.server.ts'
import {
  type LetterText,
  letterBatchJob,
  MAX_LEADS_PER_LETTER_BATCH,
  type MergedLetter,
  mergeLetter,
  saveLetterCopy,
} from './batch.server.ts'
import { letterCopy, letterOptOut, letterTemplate } from './letter.ts'
import { createLetterPdfResponse, formatLetterFileName, renderLettersPdf } from './print.server.ts'

/** Merges a letter for a lead. The user must be allowed to read the lead. */
async function writtenFor(c: RouteContext, lead: number, words: LetterText): Promise<MergedLetter> {
  const { engine, me } = c
  await engine.one(contact, me, lead)
  const portal = await findBrandName(engine, me.clientId)
  return engine.inTenant(me.clientId, { actor: me, requestId: c.request.id }, async (unit) => {
    const row = await unit.get(contact, lead)
    if (!row) throw problem.notFound()
    const written = await mergeLetter(unit, row, words, { ...(await senderMailMergeValues(unit, me)), portal })
    return () => written
  })
}

/** Returns the letter named in the URL. Throws 404 if there is none, or 409 if it is retired but must be active. */
async function letterOf({ engine, me, params }: RouteContext, { standing = false } = {}) {
  const id = await engine.idOf(letterTemplate, me, params.id)
  await engine.one(letterTemplate, me, id)
  const row = await engine.readIn(me.clientId, 'read a letter', (c) => c.get(letterTemplate, id))
  if (!row) throw problem.notFound()
  if (standing && row.retired) throw problem.conflict('This letter is retired. Restore it first.')
  return row
}

const preview = routeWithInput(
  {
    contact: link(() => contact, { required: 'Please choose a lead' }),
    subject: text({ default: '', max: 200 }),
    body: richText({ default: '' }),
  },
  {
    method: 'POST',
    path: `${letterTemplate.url}/preview`,
    title: 'Preview a letter for a lead, with missing values and the reason if it can’t be printed',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const { contact: lead, subject, body } = c.input
      return { ...(await writtenFor(c, lead, { subject, body })) }
    },
  },
)

const previewPdf: Route = {
  method: 'GET',
  path: `${letterTemplate.url}/{id}/preview.pdf`,
  title: 'Preview a letter for a lead as a PDF, without saving it',
  allow: 'ROLE_STAFF',
  query: { contact: link(() => contact) },
  file: ['application/pdf'],
  handle: async (c) => {
    const row = await letterOf(c)
    const written = await writtenFor(c, await c.engine.idOf(contact, c.me, String(c.query.contact ?? '')), row)
    const sheet = { ...written, printedAt: c.now.toString() }
    const pdf = await renderLettersPdf(c.engine, c.me.clientId, `Preview: ${row.name}`, [sheet])
    return createLetterPdfResponse(pdf, formatLetterFileName('Preview', row.name))
  },
}

const print = routeWithInput(
  {
    contact: link(() => contact),
    from: text({
      max: 60_000,
      help: 'URL of a lead list, including its filters. One letter is printed for each lead.',
    }),
  },
  {
    method: 'POST',
    path: `${letterTemplate.url}/{id}/print`,
    title: 'Print a letter for a lead, or start a batch job that prints one PDF with a letter for every lead in a list',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const { engine, me, input } = c
      const row = await letterOf(c, { standing: true })
      if (input.from) return printMany(c, row, input.from)
      const lead = input.contact
      if (typeof lead !== 'number') throw problem.badRequest('Send either "contact" for one lead or "from" for a list.')
      const portal = await findBrandName(engine, me.clientId)
      return engine.inTenant(me.clientId, c.change(), async (unit) => {
        const to = await unit.lock(contact, lead)
        const written = await mergeLetter(unit, to, row, { ...(await senderMailMergeValues(unit, me)), portal })
        const id = await saveLetterCopy(unit, to, written, { letter: row.id })
        return async () => new RouteResponse(201, await engine.one(letterCopy, me, id))
      })
    },
  },
)

async function printMany(c: RouteContext, row: RowOf<typeof letterTemplate>, from: string): Promise<RouteResponse> {
  const { engine, me } = c
  if (!hasRole(me, BULK_MAIL_ROLES))
    throw problem.forbidden('Only mail and lead administrators can print letters for a complete list.')
  const query = parseLeadListUrl(from)
  await countLeadsWithinLimit(engine, me, query, MAX_LEADS_PER_LETTER_BATCH)
  const { id: letter, name, subject, body } = row
  return engine.inTenant(me.clientId, c.change(), async (unit) => {
    const id = await startBatchJob(unit, letterBatchJob, { letter, name, subject, body, query })
    const runs = engine.resources.find(({ type }) => type === 'Run')
    return async () => {
      const made = runs ? await engine.one(runs, me, id) : { '@id': '' }
      return new RouteResponse(202, made, { location: String(made['@id']) })
    }
  })
}

const copyPdf: Route = {
  method: 'GET',
  path: `${letterCopy.url}/{id}/pdf`,
  title: 'Get a letter printed for a lead as a PDF',
  allow: 'ROLE_STAFF',
  file: ['application/pdf'],
  handle: async (c) => {
    const { engine, me } = c
    const copy = await engine.one(letterCopy, me, await engine.idOf(letterCopy, me, c.params.id))
    const sheet = {
      addressee: copy.addressee ?? '',
      subject: copy.subject ?? '',
      body: copy.body ?? '',
      printedAt: copy.printedAt,
    }
    const pdf = await renderLettersPdf(engine, me.clientId, sheet.subject || 'Letter', [sheet])
    return createLetterPdfResponse(pdf, formatLetterFileName('Letter', sheet.subject))
  },
}

const letterRoutes: readonly Route[] = [preview, previewPdf, print, copyPdf]

const isRefused = (c: Pick<Context, 'exists'>, contact: number) => c.exists(letterOptOut, { contact, retired: false })

const letterBehaviours = [
  behaviour(letterTemplate, {
    beforeSave: ({ values }) => {
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeTextError('lead', values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
  behaviour(letterOptOut, {
    beforeSave: async (c) => {
      const { before, changes, values } = c
      if (before && changes.contact !== undefined && changes.contact !== before.contact)
        throw problem.conflict('The lead for an opt-out can’t be changed. Please lift this opt-out and add another.')
      if (!before && typeof values.contact === 'number' && (await isRefused(c, values.contact)))
        throw problem.invalid([violation('contact', 'This lead has already opted out of letters')])
      if (changes.retired && !values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please explain why letters may be sent again')])
      return undefined
    },
  }),
]

export const letters = feature({
  resources: [letterTemplate, letterCopy, letterOptOut],
  behaviours: letterBehaviours,
  routes: letterRoutes,
  batchJobs: [letterBatchJob],
  seeds: () => import('./demo.server.ts'),
})
