import { problem, violation } from '#kernel/errors.ts'
import { flag, json, link, longText, strings, text } from '#kernel/fields.ts'
import type { ActionInputOf } from '#kernel/resource.ts'
import { idFromIri } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { composeEmail, PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import type { MergeValues } from '#kernel/text/merge-fields.ts'
import { toText } from '#kernel/text.ts'
import { client } from '#modules/portal/clients/client.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { consumeAccountEmailAllowance } from '#modules/portal/mail/claim.server.ts'
import type { QueuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import { emailsDue } from '#modules/portal/mail/letter.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact, MARKETING_BARS } from '../contacts/contact.ts'
import { leadFile } from '../files/lead-file.ts'
import { senderMailMergeValues } from '../merge-fields/values.server.ts'
import {
  checkFirstBatchRecipients,
  countLeadsWithinLimit,
  MAX_LEADS_PER_MAIL_BATCH,
  type MailDraft,
  type MailRecipient,
  mailBatchJob,
  mergeMail,
  parseLeadListUrl,
  requireMergeableMail,
  requireSendableMail,
  saveOutgoingMail,
} from './batch.server.ts'
import { isSuppressedAddress, mailBehaviours, unsubscribeRoutes } from './incoming.server.ts'
import { ALL_MAIL_READER_ROLES, emailSuppression, mailAttachment, mailMessage } from './message.ts'
import { BULK_MAIL_ROLES, emailTemplate, SYSTEM_EMAILS_PATH } from './template.ts'

/** Maximum total size of the attachments in bytes. Many mail servers reject larger e-mails. */
const MAX_TOTAL_BYTES = 15 * 1024 * 1024
const MAX_FILES = 10

/**
 * Finds the attachments of an e-mail by URL. They can be lead files or files in the file manager that the sender may
 * read. Throws 422 if there are too many files or they are too large, and 400 if a file is not accessible or retired.
 */
async function resolveAttachments({ engine, me }: RouteContext, given: unknown): Promise<QueuedEmailAttachment[]> {
  const iris = Array.isArray(given) ? given.map(toText) : []
  if (iris.length > MAX_FILES) throw problem.invalid([violation('attachments', `Attach at most ${MAX_FILES} files`)])
  let bytes = 0
  const files: QueuedEmailAttachment[] = []
  for (const iri of new Set(iris)) {
    const r = [leadFile, uploadedDocument].find((one) => idFromIri(one, iri) !== undefined)
    const id = r && Number(idFromIri(r, iri))
    if (!r || !id) throw problem.invalidIri(iri)
    await engine.one(r, me, id).catch(() => {
      throw problem.unknownTarget(iri)
    })
    const row = await engine.readIn(me.clientId, 'read a file to attach', (c) => c.get(r, id))
    if (!row || row.retired) throw problem.unknownTarget(iri)
    bytes += row.size
    files.push({ filename: row.name, contentType: row.type, key: row.fileKey })
  }
  if (bytes > MAX_TOTAL_BYTES)
    throw problem.invalid([
      violation('attachments', 'These files are too large for an e-mail. The limit is 15 MB in total'),
    ])
  return files
}

const MAIL_FIELDS = {
  contact: link(() => contact),
  client: link(() => client),
  template: link(() => emailTemplate),
  subject: text({ default: '', max: 200 }),
  body: longText({ default: '' }),
  marketing: flag({
    default: true,
    help: 'False for an answer to the recipient, or something that they asked for. E-mails to a list are always marketing.',
  }),
  values: json({ help: 'Values for fields that the record leaves empty, by field name.' }),
}
type MailFieldsInput = ActionInputOf<typeof MAIL_FIELDS>

const asValues = (given: unknown): MergeValues =>
  typeof given === 'object' && given !== null
    ? Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name.toLowerCase(), value.slice(0, 1000)]] : [],
        ),
      )
    : {}

/**
 * Returns the recipient's record, if the sender may read it. Throws 400 unless exactly one recipient is given, and 409
 * if the record is retired.
 */
async function addresseeOf({ engine, me }: RouteContext, input: MailFieldsInput): Promise<MailRecipient> {
  const { contact: lead, client: firm } = input
  if ((typeof lead === 'number') === (typeof firm === 'number'))
    throw problem.badRequest('Send "contact" for one lead, "client" for one client or "from" for a list.')
  if (typeof firm === 'number') {
    await engine.one(client, me, firm)
    const row = await engine.readIn(firm, 'write an e-mail to a client', (c) => c.get(client, firm))
    if (!row || row.retired) throw problem.conflict('This client is retired. Restore it first.')
    return { kind: 'client', row }
  }
  const row = await engine.readIn(me.clientId, 'write an e-mail to a lead', (c) => c.get(contact, Number(lead)))
  if (!row || row.retired) throw problem.conflict('This lead is retired. Restore it first.')
  return { kind: 'lead', row }
}

/**
 * Returns the text of the e-mail. An empty subject or body is taken from the template. Throws 409 if the template is
 * retired, and 422 if a marketing template is sent as an answer.
 */
async function draftOf(
  unit: Context,
  input: Pick<MailFieldsInput, 'template' | 'subject' | 'body'> & { readonly marketing?: boolean | null },
): Promise<Omit<MailDraft, 'files'>> {
  const of = typeof input.template === 'number' ? await unit.get(emailTemplate, input.template) : undefined
  if (of?.retired) throw problem.conflict('This template is retired. Choose another template.')
  const draft = {
    subject: input.subject?.trim() || of?.subject || '',
    body: input.body?.trim() || of?.body || '',
    template: of?.name ?? '',
    marketing: input.marketing ?? true,
  }
  if (!draft.marketing && of?.kind === 'lead' && of.marketing)
    throw problem.invalid([
      violation('marketing', `“${of.name}” is a template for marketing, so it can’t be sent as an answer`),
    ])
  const wrong = (['subject', 'body'] as const).filter((name) => !draft[name])
  if (wrong.length)
    throw problem.invalid(
      wrong.map((name) => violation(name, name === 'subject' ? 'Please enter a subject' : 'Please enter a message')),
    )
  return draft
}

const preview = routeWithInput(MAIL_FIELDS, {
  method: 'POST',
  path: '/api/email/preview',
  title: 'Preview an e-mail for its recipient: missing values, and whether the recipient has opted out',
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const to = await addresseeOf(c, c.input)
    return c.engine.inTenant(c.me.clientId, { actor: c.me, requestId: c.request.id }, async (unit) => {
      const draft = await draftOf(unit, c.input)
      const written = await mergeMail(
        unit,
        to,
        draft,
        await senderMailMergeValues(unit, c.me),
        asValues(c.input.values),
      )
      return () => ({ ...written })
    })
  },
})

const FROM = text({ max: 60_000, help: 'URL of a lead list, including its filters. One e-mail is sent to each lead.' })

const recipients = routeWithInput(
  { from: FROM, template: MAIL_FIELDS.template, subject: MAIL_FIELDS.subject, body: MAIL_FIELDS.body },
  {
    method: 'POST',
    path: '/api/email/recipients',
    title: 'List which of the first 300 leads in a list would be excluded from an e-mail, with reasons',
    allow: BULK_MAIL_ROLES,
    handle: async (c) => {
      const query = parseLeadListUrl(c.input.from ?? '')
      const found = await countLeadsWithinLimit(c.engine, c.me, query, MAX_LEADS_PER_MAIL_BATCH)
      return { found, ...(await checkFirstBatchRecipients(c, query, (unit) => draftOf(unit, c.input))) }
    },
  },
)

const send = routeWithInput(
  {
    ...MAIL_FIELDS,
    from: FROM,
    attachments: strings({ help: 'URLs of files.' }),
  },
  {
    method: 'POST',
    path: '/api/email/message',
    title: 'Send an e-mail to a lead or client, or to every lead in a list',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const { input, me } = c
      const files = await resolveAttachments(c, input.attachments)
      if (input.from) return sendMany(c, input.from, input, files)
      const to = await addresseeOf(c, input)
      return c.engine.inTenant(me.clientId, c.change(), async (unit) => {
        const draft = { ...(await draftOf(unit, input)), files }
        const written = await mergeMail(unit, to, draft, await senderMailMergeValues(unit, me), asValues(input.values))
        requireSendableMail(to.kind, written)
        await consumeAccountEmailAllowance(unit.work.tx, me, me.clientId, unit.now, 1)
        const id = await saveOutgoingMail(unit, to, written, draft)
        await unit.emit(emailsDue, { messages: [id] })
        return async () => new RouteResponse(201, await c.engine.one(mailMessage, me, id))
      })
    },
  },
)

async function sendMany(
  c: RouteContext,
  from: string,
  input: MailFieldsInput,
  files: MailDraft['files'],
): Promise<RouteResponse> {
  const { me } = c
  if (!hasRole(me, BULK_MAIL_ROLES))
    throw problem.forbidden('Only mail and lead administrators can send e-mails to a complete list.')
  const query = parseLeadListUrl(from)
  await countLeadsWithinLimit(c.engine, me, query, MAX_LEADS_PER_MAIL_BATCH)
  return c.engine.inTenant(me.clientId, c.change(), async (unit) => {
    const { subject, body, template } = await draftOf(unit, { ...input, marketing: true })
    requireMergeableMail('lead', { subject, body })
    const id = await startBatchJob(unit, mailBatchJob, { query, subject, body, template, files: [...files] })
    const runs = c.engine.resources.find(({ type }) => type === 'Run')
    return async () => {
      const made = runs ? await c.engine.one(runs, me, id) : { '@id': '' }
      return new RouteResponse(202, made, { location: String(made['@id']) })
    }
  })
}

/** Seconds within which requests to resend an e-mail count as one, even if its copy has since been sent. */
const RESENT_SECONDS = 60

const AGAIN = new Set(['failed', 'bounced', 'perhaps sent', 'kept', 'sent', 'stopped'])

const resend: Route = {
  method: 'POST',
  path: '/api/email/message/resend/{id}',
  title: 'Resend an e-mail: the original if it was never sent, or a copy if it may have been sent',
  allow: [...ALL_MAIL_READER_ROLES, 'ROLE_STAFF'],
  handle: async (c) => {
    const { engine, me } = c
    const id = await engine.idOf(mailMessage, me, c.params.id)
    await engine.one(mailMessage, me, id)
    return engine.inTenant(me.clientId, c.change(), async (unit) => {
      const mine = unit.withoutPermissionCheck('anybody who may read an e-mail may resend it')
      const row = await mine.lock(mailMessage, id)
      if (row.incoming) throw problem.conflict('This is an incoming e-mail, so it can’t be resent.')
      if (row.confidential)
        throw problem.conflict(
          'This e-mail contained a personal link, which is not stored. Please send a new e-mail from the page that the first was sent from.',
        )
      const since = unit.now.subtract({ seconds: RESENT_SECONDS })
      const isCopied = (await unit.find(mailMessage, { resendOf: id })).some(
        ({ state, createdAt }) =>
          state === 'waiting' ||
          state === 'sending' ||
          (createdAt !== null && Temporal.Instant.compare(Temporal.Instant.from(createdAt), since) > 0),
      )
      if (isCopied || !AGAIN.has(row.state ?? ''))
        throw problem.conflict('This e-mail is already being sent, or has just been sent again.', 'wrong_state')
      if (row.stoppable && (await isSuppressedAddress(unit, row.recipient ?? '')))
        throw problem.conflict(`${row.recipient} has opted out of e-mails.`)
      if (row.marketing && row.contact !== null) {
        const lead = await unit.get(contact, row.contact)
        const refusal = MARKETING_BARS[lead?.marketingBar ?? '']
        if (refusal) throw problem.conflict(`${refusal}.`)
      }
      await consumeAccountEmailAllowance(unit.work.tx, me, me.clientId, unit.now, 1)
      const again =
        row.state === 'failed' || row.state === 'stopped' ? await renew(unit, row.id) : await copy(unit, row.id)
      await unit.emit(emailsDue, { messages: [again] })
      unit.work.touched.add('message')
      return () => engine.one(mailMessage, me, again)
    })
  },
}

/** Queues the same e-mail again. Used if none of its data was sent. */
async function renew(c: Context, id: number): Promise<number> {
  await c.work.flush()
  await c.work.tx.rows(
    "UPDATE message SET state = 'waiting', error = NULL, claim = NULL, handed_at = NULL, tried_at = NULL WHERE client_id = $1 AND id = $2",
    [c.clientId, id],
  )
  return id
}

/** Queues a new e-mail with the same text. Used if the first one may have arrived. */
async function copy(c: Context, id: number): Promise<number> {
  await c.work.flush()
  const [made] = await c.work.tx.rows<{ id: number }>(
    `INSERT INTO message (client_id, recipient, subject, body, template, author, user_id, contact_id, account_id, about, attachments, files, stoppable, marketing, token, resend_of, created_at)
     SELECT client_id, recipient, subject, body, template, $3, $4, contact_id, account_id, about, attachments, files, stoppable, marketing, replace(gen_random_uuid()::text, '-', ''), id, portal_now()
     FROM message WHERE client_id = $1 AND id = $2 RETURNING id`,
    [c.clientId, id, c.actor.username, c.actor.userId],
  )
  if (!made) throw problem.notFound()
  return made.id
}

const mailRoutes: readonly Route[] = [preview, recipients, send, resend]

/** Texts that replace the placeholders in an example. */
const PLACEHOLDER_WORDS = [
  [SECRET_LINK_PLACEHOLDER, '(the recipient’s personal link)'],
  [PORTAL_NAME_PLACEHOLDER, '(the portal’s name)'],
] as const
const fillPlaceholders = (text: string) =>
  PLACEHOLDER_WORDS.reduce((filled, [placeholder, words]) => filled.replaceAll(placeholder, words), text)

const systemEmailsRoute: Route = {
  method: 'GET',
  path: SYSTEM_EMAILS_PATH,
  title: 'List the e-mails that the portal generates, each with an example',
  allow: BULK_MAIL_ROLES,
  listOf: 'objects',
  handle: ({ engine }) => {
    const emails = [...registryOf(engine).emails.values()].toSorted((a, b) => a.title.localeCompare(b.title))
    return hydraCollection(
      emails.map((email) => {
        const { subject, body } = composeEmail(email, email.sample)
        return {
          '@id': `${SYSTEM_EMAILS_PATH}#${email.name}`,
          '@type': 'SystemEmail',
          name: email.name,
          title: email.title,
          subject: fillPlaceholders(subject),
          body: fillPlaceholders(body),
        }
      }),
    )
  },
}

export const mail = feature({
  resources: [mailMessage, mailAttachment, emailTemplate, emailSuppression],
  behaviours: mailBehaviours,
  routes: [
    ...mailRoutes,
    systemEmailsRoute,
    ...unsubscribeRoutes,
    ...createFileRoutes(mailAttachment, [...ALL_MAIL_READER_ROLES, 'ROLE_STAFF']),
  ],
  batchJobs: [mailBatchJob],
})
